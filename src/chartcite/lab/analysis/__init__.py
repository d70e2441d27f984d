"""What several metrics of the same answers say of each other: where they disagree, how they go together."""
