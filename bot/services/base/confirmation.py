"""What costs something is asked first: the cost in words, and the agreement to exactly that cost."""

import hashlib

from bot.league.errors import Conflict


class ConfirmationNeeded(Conflict):
    """This costs something the person hasn't agreed to; `token` is what agreeing to it sends back."""

    def __init__(self, cost: str, *, token: str, changed: bool) -> None:
        self.cost, self.token, self.changed = cost, token, changed
        super().__init__(cost)


def require_confirmation(cost: str, agreed: str | None) -> None:
    """Raise ConfirmationNeeded unless exactly this cost was agreed to.

    "" asks, None (the bot and its programs) never does.
    """
    token = token_of(cost)
    if agreed not in (None, token):
        raise ConfirmationNeeded(cost, token=token, changed=bool(agreed))


def token_of(cost: str) -> str:
    """Return what agreeing to a cost in words sends back: 16 hex digits."""
    return hashlib.sha256(cost.encode()).hexdigest()[:16]
