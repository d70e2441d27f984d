"""Ranked passages of one partition for one query."""
