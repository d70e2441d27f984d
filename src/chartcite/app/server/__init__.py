"""The server: REST, pages and what stands before them. Nothing here is imported unless `chartcite serve` runs."""
