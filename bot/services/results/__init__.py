"""Results: reported, confirmed, disputed, decided, corrected."""
