"""Answer sentences to the evidence that each rests on."""
