"""Engines that run workers, by the name that the setting `compute` has; each is imported only when it is asked for."""
