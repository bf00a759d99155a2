"""Who can't take part in a league: bans, what they end, and the one gate that asks them."""
