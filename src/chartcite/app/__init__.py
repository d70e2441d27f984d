"""Doors: the command line. The only room that prints and reads the environment."""
