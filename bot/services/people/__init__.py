"""Players who enter, leave and come back."""
