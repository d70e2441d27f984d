"""What the benchmarks of claim checking share: items, checkers by name, figures with their intervals, tables."""
