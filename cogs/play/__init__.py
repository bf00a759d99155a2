"""What rounds and matches go through: reported, confirmed, disputed, decided."""
