"""The stages of this study beside those that all experiments share, one file each."""
