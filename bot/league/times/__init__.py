"""Times people agree on: zones, typed times, weekly hours, starts to propose. `now` and the zone are arguments."""
