"""Pictures of a league: facts laid out as boxes and text, then painted as PNG in a process of their own."""
