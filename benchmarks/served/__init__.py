"""A `chartcite serve` of its own for measuring: started on loopback over a copy of a store, asked, and killed."""
