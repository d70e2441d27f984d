"""The stages of the study `comparison`, one file each. A stage reads the tables of earlier ones, and writes its own."""
