"""Commands and buttons about rounds."""
