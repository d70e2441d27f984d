"""Hostile bytes in, Documents out: one file a format, whose name is the format's name.

`detect.read_source` is the entry of the room. Importing the room is cheap: a format's engine is imported by the one
file that uses it, and only when a file of that format is read.
"""
