"""What keeps matches from being played: problems players tell of, and players who don't appear or have gone."""
