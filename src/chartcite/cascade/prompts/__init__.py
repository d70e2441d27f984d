"""Prompts as text files, with a version in the name; `{...}` is filled in by the stage of that name."""
