"""What follows from cited sentences though none of them states it: changes, spans of time, counts, orders, extremes."""
