"""Single-elimination brackets: how they are filled, and who meets whom in each of their rounds."""
