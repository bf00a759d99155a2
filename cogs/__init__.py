"""The Discord surface: parse, call one service, show the answer."""
