"""Places in a season: sign-up, the waiting list, check-in, the last day before sign-ups close."""
