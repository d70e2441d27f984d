"""What the generator writes: text files, JSON Lines, FHIR, questions, relevance judgements, the manifest."""
