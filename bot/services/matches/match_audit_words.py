"""What the audit log says of rounds, results and places in the finals."""

AUDIT_WORDS = {
    "entrant.ask_moving_up": "{} was asked whether they move up into the finals",
    "finals.again": "{}: later finals matches are played again",
    "match.more-time": "{}: more time for a match that is open again",
    "result.clear": "{}: result cleared",
    "result.confirm": "{}: result confirmed",
    "result.dispute": "{}: result disputed",
    "result.forfeit": "{}: result set as a forfeit",
    "result.overdue": "{}: no result by the deadline",
    "result.report": "{}: result reported",
    "result.set": "{}: result decided",
    "result.take-back": "{}: report taken back",
    "round.close": "{} was closed",
    "round.pair": "{} was paired",
    "round.post": "{} was posted",
    "round.undo": "{} was taken back",
    "season.end": "{} is over",
}
