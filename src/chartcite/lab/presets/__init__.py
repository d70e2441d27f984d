"""Presets: experiments as published, one TOML file each; an experiment's own file goes on top."""
