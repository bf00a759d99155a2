"""What players answered to a question at sign-up, for their opponents; questions are told apart by a key."""

from storage.personal import Forget, Move
from storage.query import Change, Value
from storage.rows import PlayerId

answer_of = Value[str | None, PlayerId, str]("SELECT answer FROM asked_names WHERE player_id = ? AND question = ?")
"""A player's answer to a question, None without one."""

keep = Change[PlayerId, str, str](
    "INSERT INTO asked_names (player_id, question, answer) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET answer = excluded.answer"
)
"""Keep a player's answer to a question in place of the one before."""

forget_person = Forget("DELETE FROM asked_names WHERE player_id = :player")
"""Delete what someone answered."""

merge_person = Move("asked_names")
"""Let someone's answers be the other's, where these gave none."""
