"""What rounds and matches go through: reported, confirmed, decided, closed, paired, posted, over."""
