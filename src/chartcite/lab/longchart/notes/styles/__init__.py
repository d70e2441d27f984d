"""The note styles, one a file."""
