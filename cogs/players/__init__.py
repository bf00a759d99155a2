"""Commands and buttons of players, and about them."""
