"""First-stage methods, one file each: `rank(probe, depth)` gives one or more named lists to be fused."""
