"""Candidate sentences to evidence: relevance 1-5 for every one of them."""
