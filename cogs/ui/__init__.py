"""What people see: embeds, buttons, forms and the words for errors."""
