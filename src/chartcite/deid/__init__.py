"""What identifies a person, found by rules and replaced by surrogates before text leaves the machine, and put back."""
