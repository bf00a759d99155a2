"""What keeps matches from being played: problems players tell us about, and players who don't appear or have gone."""
