"""The study's report: one file a group of sections."""
