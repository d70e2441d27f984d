"""The four stages from question to cited sentences. Each stage is a folder; `rules` needs no language model."""
