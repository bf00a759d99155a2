"""What was done, as people read it in the audit log."""

from storage.tables.audit import AuditRow

SENTENCES = {
    "entrant.add": "{} was added",
    "entrant.answer_rejoin": "{} wasn't let back in",
    "entrant.ask_moving_up": "{} was asked whether they move up into the finals",
    "entrant.ask_rejoin": "{} asked to come back",
    "entrant.ask_staying": "{}: organisers were asked if they stay",
    "entrant.check-in": "{} checked in",
    "entrant.disqualification": "{} was disqualified",
    "entrant.drop": "{} dropped out",
    "entrant.moving_up": "{} answered whether they move up into the finals",
    "entrant.no-check-in": "{} didn't check in",
    "entrant.no_substitute": "{} plays on without the substitute",
    "entrant.play_after_all": "{} plays a round after all",
    "entrant.reinstate": "{} was put back into the season",
    "entrant.rejoin": "{} came back",
    "entrant.seed": "{} got a seed",
    "entrant.sign_up": "{} signed up",
    "entrant.sit_out": "{} sits out a round",
    "entrant.staying": "{} stays in the season",
    "entrant.substitute": "{} got a substitute",
    "entrant.withdraw": "{} withdrew before the start",
    "finals.again": "{}: later finals matches are played again",
    "finals.undo": "{}: the finals were taken back",
    "league.change": "{}: the league's settings were changed",
    "league.create": "{} was set up",
    "league.import": "{} was imported",
    "league.rules": "{}: the organisers' own rules were changed",
    "list.accept": "{} was accepted late",
    "list.hand-in": "{} was handed in",
    "list.refuse": "{} was refused",
    "lists.seal": "{} were sealed",
    "match.more-time": "{}: more time for a match that is open again",
    "match.propose-times": "{}: times were proposed",
    "match.time": "{}: a time was agreed on",
    "player.ask_link": "{}: a new Discord account was asked",
    "player.availability": "{} set their time zone or hours",
    "player.forget": "{} was forgotten",
    "player.link": "{} has a new Discord account",
    "player.notify": "{} chose how to be told",
    "player.refuse_link": "{}: the new Discord account declined",
    "player.rename": "{} is a new league name",
    "post.retry": "Missing posts were tried again",
    "problem.answer": "{}: a problem was answered",
    "problem.claim": "{}: a problem was told",
    "problem.no-answer": "{}: a problem had no answer in time",
    "problem.no-change": "{}: a problem changed nothing",
    "problem.withdraw": "{}: a problem was withdrawn",
    "result.clear": "{}: result cleared",
    "result.confirm": "{}: result confirmed",
    "result.dispute": "{}: result disputed",
    "result.forfeit": "{}: result set as a forfeit",
    "result.overdue": "{}: no result by the deadline",
    "result.report": "{}: result reported",
    "result.set": "{}: result decided",
    "result.statement": "{}: the moderators were told what happened",
    "result.take-back": "{}: report taken back",
    "round.close": "{} was closed",
    "round.extend": "{}: more time",
    "round.pair": "{} was paired",
    "round.post": "{} was posted",
    "round.start-clock": "{}: the clock was started",
    "round.swap": "{}: pairings were swapped",
    "round.tiebreak-dispute": "{}: the result of the tie-break match was disputed",
    "round.tiebreak-report": "{}: the tie-break match was reported",
    "round.tiebreak": "{}: a tie was settled",
    "round.tiebreak-match": "{}: a tie-break match was called",
    "round.undo": "{} was taken back",
    "season.cancel": "{} was cancelled",
    "season.check-in": "{}: players were asked to check in",
    "season.create": "{} was prepared",
    "season.discard": "{} was discarded",
    "season.end": "{} is over",
    "season.finish": "{} was finished by an organiser",
    "season.maps": "{}: the maps were changed",
    "season.not-started": "{} couldn't start",
    "season.open": "{}: sign-ups were opened",
    "season.pause": "{} was paused",
    "season.resume": "{} goes on after its pause",
    "season.settings": "{}: the season's settings were changed",
    "season.start": "{} was started",
    "waitlist.ask": "{} was offered a place",
    "waitlist.check-in": "{} got a place after the check-in",
    "waitlist.close": "{}: the waiting list was closed",
    "waitlist.decline": "{} declined a place",
    "waitlist.forget": "{} was forgotten on the waiting list",
    "waitlist.join": "{} joined the waiting list",
    "waitlist.lapse": "{} didn't take a place in time",
    "waitlist.leave": "{} left the waiting list",
    "waitlist.substitute": "{} left the waiting list as a substitute",
    "waitlist.take": "{} took a place",
    "waitlist.withdraw-place": "{}: the offered place was withdrawn",
}
"""A sentence for each kind of change, about its subject."""


def sentence(row: AuditRow, subject: str) -> str:
    """Return what was done to a subject, which is escaped already: `Chidi asked to come back`."""
    said = SENTENCES.get(row.action, f"{{}}: {kind_of(row.action)}")
    if row.action.startswith("round.") and subject.endswith("s"):  # the semi-finals
        said = said.replace("{} was", "{} were", 1)
    said = said.replace("{}", subject, 1)
    return said[:1].upper() + said[1:]


def kind_of(action: str) -> str:
    """Return a kind of change without its subject: `asked to come back`."""
    known = SENTENCES.get(action)
    return key_words(action) if known is None else known.removeprefix("{}").strip(" :")


def key_words(action: str) -> str:
    """Return how a kind of change is kept, as words to type: `result set`."""
    return action.replace(".", " ").replace("_", " ").replace("-", " ")
