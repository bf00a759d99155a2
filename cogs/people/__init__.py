"""Players in a season: leaving, coming back, names and seeds, how they are told."""
