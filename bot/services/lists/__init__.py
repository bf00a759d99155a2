"""Army and deck lists: handed in, sealed when due, revealed as the season's settings say."""
