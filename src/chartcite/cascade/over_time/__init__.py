"""Questions that the record's timeline answers: before and after an event, between two days, all medicines of a day."""
