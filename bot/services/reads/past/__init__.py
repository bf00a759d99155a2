"""What was: the profiles of players, and the champions of a league."""
