"""Whether cited text carries a claim: by rules, without a model. Never imports the cascade that wrote the claim."""
