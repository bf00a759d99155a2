"""Who sits in whose seat: substitutes, rounds sat out, the account behind a player."""
