"""Problems with a match, and players who seem to be gone."""
