"""What the audit log says of seasons: preparing, starting, pausing, ending."""

AUDIT_WORDS = {
    "entrant.group": "{} was put into a group",
    "season.cancel": "{} was cancelled",
    "season.create": "{} was prepared",
    "season.discard": "{} was discarded",
    "season.finish": "{} was finished by an organiser",
    "season.groups": "{}: the groups were filled in the order of time zones",
    "season.not-started": "{} couldn't start",
    "season.open": "{}: sign-ups were opened",
    "season.pause": "{} was paused",
    "season.resume": "{} goes on after its pause",
    "season.settings": "{}: the season's settings were changed",
    "season.start": "{} was started",
}
