"""The tables about people of a league: players, their names and accounts, who is banned, kept apart, merged or told."""
