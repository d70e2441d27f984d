"""Extractive answers: the part of a cited sentence that answers, by rules or by a model."""
