"""Evidence to answer sentences, one claim each."""
