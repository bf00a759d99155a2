"""The check of what people read: it finds a raw id or a backtick of ours, and takes what someone typed."""

import pytest

from cogs.ui.text import shown, with_commands
from tests.marks_shown import bare, of_ours


@pytest.mark.parametrize(
    "plain",
    ["Posts come to <#1575487765800292453>.", "<@157> hasn't joined", "Fill in `until`.", "<t:1:R>", "<@&5>"],
)
def test_a_mark_of_ours_in_plain_words_is_found(plain: str) -> None:
    assert of_ours([with_commands(plain)], [])
    assert of_ours([f"**{with_commands(plain)}** `/code` <@5> <#6>"], ["something else, `typed` <@7>"])


@pytest.mark.parametrize("typed", ["<@1>", "```py\nevil\n```", "a `b", "<#12> and <t:5>"])
def test_what_someone_typed_is_taken(typed: str) -> None:
    assert not of_ours([f"There's no “{shown(typed)}”. Use `/rules`, <@5>."], [bare(typed)])
