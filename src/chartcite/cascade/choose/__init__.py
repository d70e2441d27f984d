"""Multiple choice: an option is chosen because sentences of the record bear it out, by rules or by a model."""
