"""The hidden truth: what happened to a fictional patient, before anybody writes it down."""
