"""What `benchmarks/deid.py` measures with."""
