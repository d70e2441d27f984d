"""Evaluation: datasets, metrics, statistics, experiments, reports. Drives the library as an outsider would."""
