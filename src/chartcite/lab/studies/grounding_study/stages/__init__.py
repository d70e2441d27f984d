"""The stages of the study, one file each."""
