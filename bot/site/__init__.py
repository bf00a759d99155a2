"""The pages of a league: plain HTML that reads without script, from a server or from a folder."""
