"""Data sets, one a file; each module's `DATASET` reads a folder. No data is shipped: every card names its licence."""
