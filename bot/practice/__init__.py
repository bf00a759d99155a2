"""The practice server: the bot in a simulated guild, shown as a web page on this computer; no token needed."""
