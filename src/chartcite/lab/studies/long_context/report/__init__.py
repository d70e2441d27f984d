"""The page of a run of this study, one file a section."""
