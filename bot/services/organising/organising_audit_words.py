"""What the audit log says of rounds changed by hand, announcements and corrections that were asked for."""

AUDIT_WORDS = {
    "finals.undo": "{}: the finals were taken back",
    "league.announce": "{}: organisers told players something",
    "result.ask-organiser": "{}: organisers were asked to correct it",
    "result.leave": "{}: not corrected",
    "round.extend": "{}: more time",
    "round.start-clock": "{}: the clock was started",
    "round.swap": "{}: pairings were swapped",
    "season.maps": "{}: the maps were changed",
}
