"""Why a promised post isn't made."""


class Gone(Exception):
    """What a post was about is gone, so there's nothing to show."""
