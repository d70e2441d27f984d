"""Wording for patients: plain words beside the quote, checked against the same sentences."""
