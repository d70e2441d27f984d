"""Learned sparse encoders: weighted terms of a model's vocabulary. None comes with chartcite."""
