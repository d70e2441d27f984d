"""Invented cases in the form of ArchEHR-QA, drawn from templates: for statistics and for tuning, never for a claim."""

from chartcite.lab.archehr_cases.generate import DEFAULT_SEED, generate

__all__ = ["DEFAULT_SEED", "generate"]
