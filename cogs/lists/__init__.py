"""Army and deck lists."""
