"""The hidden truth, written down the way people write records; every stated fact keeps its exact span."""
