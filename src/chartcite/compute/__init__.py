"""Work shared out to other processes, on this machine or on several: a port, and one file an engine."""
