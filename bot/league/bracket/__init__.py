"""Single-elimination brackets: how they are filled, and the matches of each of their rounds."""
