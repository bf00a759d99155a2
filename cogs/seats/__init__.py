"""Who sits in a seat: a round sat out, a new account, a place in the finals."""
