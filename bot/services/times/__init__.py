"""Agreeing on a time: each player's zone and hours, times proposed and accepted, reminders, who hasn't started."""
