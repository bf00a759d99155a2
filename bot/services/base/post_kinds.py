"""What a promised post can be about: who reads it, where it goes, and under which topic people chose how they hear."""

from enum import StrEnum

from storage.tables.notify import Topic


class PostKind(StrEnum):
    """What a post is about."""

    BOARD = "board"
    SIGNUP = "signup"
    INVITATION = "invitation"
    ROUND = "round"
    NEWS = "news"
    QUESTION = "question"
    REMINDER = "reminder"
    WAITING = "waiting"
    DISPUTE = "dispute"
    DISPUTED = "disputed"
    OVERDUE = "overdue"
    DECISION = "decision"
    OPEN_AGAIN = "open-again"
    REJOIN = "rejoin"
    NOTICE = "notice"
    STUCK = "stuck"
    CHAMPION = "champion"
    TROUBLE = "trouble"
    WITHDRAWN = "withdrawn"
    TIE = "tie"
    TIE_MATCH = "tie-match"
    TIE_QUESTION = "tie-question"
    CLOCK = "clock"
    PAUSE = "pause"
    TIMES = "times"
    AGREED = "agreed"
    TIME_REMINDER = "time-reminder"
    PLACE = "place"
    CHECK_IN = "check-in"
    MOVING_UP = "moving-up"
    SEALS = "seals"
    LISTS_MISSING = "lists-missing"
    THREAD = "thread"
    THREAD_OVER = "thread-over"
    PROBLEM = "problem"
    ANSWERED = "answered"
    CLAIM = "claim"
    STAYING = "staying"
    LINK = "link"


MOST_MENTIONS = 80
"""As many people as one message mentions: the rest are mentioned by others like it."""

ONCE = {
    PostKind.BOARD,
    PostKind.SIGNUP,
    PostKind.CHAMPION,
    PostKind.ROUND,
    PostKind.NEWS,
    PostKind.TIE,
    PostKind.TIE_MATCH,
    PostKind.THREAD,
}
"""What shows how something is now: posted once, then edited."""
FOR_ORGANISERS = {PostKind.REJOIN, PostKind.TIE, PostKind.STUCK, PostKind.STAYING}
"""What waits for moderators and can be answered only by organisers, who are mentioned too."""
FOR_MODERATORS = FOR_ORGANISERS | {
    PostKind.WAITING,
    PostKind.DISPUTE,
    PostKind.OVERDUE,
    PostKind.CLAIM,
    PostKind.TROUBLE,
}
"""What waits for moderators: posted in their channel, mentioning them."""
PERSONAL = {
    PostKind.PLACE,
    PostKind.MOVING_UP,
    PostKind.TIE_QUESTION,
    PostKind.CHECK_IN,
    PostKind.INVITATION,
    PostKind.QUESTION,
    PostKind.REMINDER,
    PostKind.DISPUTED,
    PostKind.DECISION,
    PostKind.OPEN_AGAIN,
    PostKind.TIMES,
    PostKind.AGREED,
    PostKind.TIME_REMINDER,
    PostKind.LISTS_MISSING,
    PostKind.PROBLEM,
    PostKind.ANSWERED,
}
"""What concerns only the people it mentions: it isn't posted in the channel where no one is mentioned there."""
_TOPICS = {
    PostKind.QUESTION: Topic.QUESTION,
    PostKind.PLACE: Topic.QUESTION,
    PostKind.MOVING_UP: Topic.QUESTION,
    PostKind.TIE_QUESTION: Topic.QUESTION,
    PostKind.CHECK_IN: Topic.QUESTION,
    PostKind.PROBLEM: Topic.QUESTION,
    PostKind.DISPUTED: Topic.QUESTION,
    PostKind.ROUND: Topic.ROUND,
    PostKind.TIE_MATCH: Topic.ROUND,
    PostKind.REMINDER: Topic.DEADLINE,
    PostKind.CLOCK: Topic.DEADLINE,
    PostKind.PAUSE: Topic.DEADLINE,
    PostKind.TIMES: Topic.TIME,
    PostKind.AGREED: Topic.TIME,
    PostKind.TIME_REMINDER: Topic.TIME,
    PostKind.LISTS_MISSING: Topic.DEADLINE,
}


def topic_of(kind: PostKind) -> Topic:
    """Return the topic under which people chose how they are told of such a post."""
    return _TOPICS.get(kind, Topic.NEWS)
