"""Metrics, one a file; each module's `METRIC` is the class, its file name the name in an experiment."""
