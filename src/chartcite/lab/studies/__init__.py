"""Kinds of experiments, one file or package each; what it offers is called `STUDY` (`experiment/study.py`)."""
