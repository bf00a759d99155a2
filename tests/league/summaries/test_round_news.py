"""What a finished round changed: who goes on to the finals, where there are any."""

from bot.league.formats import by_key
from bot.league.summaries.round_news import news_of
from tests.league.builders import after, season

KEYFORGE = by_key("keyforge-swiss")


def test_the_cut_is_told_after_the_last_round_before_the_finals_and_not_where_there_are_none() -> None:
    without, finals = (
        news_of(KEYFORGE, after(season(KEYFORGE, "abcdef", cut=cut, rounds=1), "ab", "cd", "ef"), 1) for cut in (0, 2)
    )
    assert (without.cut, without.out) == (None, ())
    assert finals.cut is not None
    assert finals.cut.seeds.keys() < set("ace")
    assert len(finals.out) == 4
