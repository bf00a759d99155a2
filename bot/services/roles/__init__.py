"""Roles of the server that the bot gives to players and to the champion."""
