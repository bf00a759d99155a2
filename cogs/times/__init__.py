"""When matches are played: time zones and hours, times proposed and agreed."""
