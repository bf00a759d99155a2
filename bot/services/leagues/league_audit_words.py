"""What the audit log says of a league, its settings and what came into it."""

AUDIT_WORDS = {
    "league.change": "{}: the league's settings were changed",
    "league.create": "{} was set up",
    "league.import": "{} was imported",
    "league.import_back": "{}: the import was taken back",
    "league.import_records": "{} came in from another program",
    "league.rules": "{}: the organisers' own rules were changed",
    "season.renumber": "{} has another number, because of an import",
}
