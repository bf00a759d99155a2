"""What people see: cards, buttons, forms and the words for errors."""
