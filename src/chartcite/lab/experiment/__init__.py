"""Experiments: one TOML file, stages one after another, every row on disk, resumable, reported. See docs/lab.md."""
