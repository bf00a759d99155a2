"""The tables of who is in a season: entrants, who sits in their seats, and what they're asked."""
