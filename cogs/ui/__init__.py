"""How the bot answers on Discord: commands, buttons, forms, cards, texts; nothing about a subject."""
