"""Models that say how far a text entails a claim, one file each: a user's own NLI or MiniCheck-style model."""
