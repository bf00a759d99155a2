"""What the audit log says of problems, statements and who was asked whether they stay."""

AUDIT_WORDS = {
    "entrant.ask_staying": "{}: organisers were asked if they stay",
    "entrant.first-match": "{} answered when they play",
    "entrant.let-be": "{} may begin later",
    "entrant.no-first-match": "{} didn't answer when they play",
    "entrant.staying": "{} stays in the season",
    "problem.answer": "{}: a problem was answered",
    "problem.no-answer": "{}: a problem had no answer in time",
    "problem.no-change": "{}: a problem changed nothing",
    "problem.tell": "{}: a problem was told",
    "problem.withdraw": "{}: a problem was withdrawn",
    "season.first-matches": "{}: players who haven't begun were asked",
    "result.statement": "{}: the moderators were told what happened",
}
