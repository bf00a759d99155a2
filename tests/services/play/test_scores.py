"""The score of a match, besides its games: reported, disputed, decided, corrected, exported, cleared."""

import json
from typing import Any

import pytest

from bot import steps
from bot.exporters.sheets import to_csv
from bot.importers.as_seasons import recorded
from bot.importers.read_file import read
from bot.league.checking.league_file import reading, writing
from bot.league.checking.verify import verify
from bot.league.errors import Invalid
from bot.league.season.match_score import DASH, Scoreline
from bot.league.season.model import Kind
from bot.league.season.phases import PLAYING, MatchState
from bot.pictures.tree import in_bracket
from bot.practice.autoplay import _Story
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order, by_bot
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.play import clearing, decisions, possible_results, reporting
from bot.services.reads import season_sheets, tables
from bot.services.reads.past import champions, whole_league
from bot.site.pages import pages
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, MODERATOR, ORGANISER, World


async def first(world: World) -> MatchView:
    return (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]


@pytest.fixture
async def match(world: World) -> MatchView:
    """The first match of a round of four, a single game with a score."""
    await world.begin(4, "keyforge-swiss", scores=True, draws=True)
    return await first(world)


async def report(world: World, name: str, match: MatchView, result: str, score: str | None) -> MatchView:
    said: Any = {"match": match.match.id, "result": result, "score": score}
    return (await do(reporting.report, db=world.db, actor=world.player(name), now=world.now, **said)).match


async def play_round(world: World) -> None:
    """Let the upper player win every open match of the current round with 87-62."""
    for match in await played(world):
        if match.match.state is not MatchState.CONFIRMED:
            await report(world, match.lower.name, match, "lost", "62-87")


async def played(world: World, number: int | None = None) -> tuple[MatchView, ...]:
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    return (await world.db.read(posted_round, order, number=number)).matches


async def decide(world: World, match: MatchView, outcome: Outcome, score: str | None, **more: Any) -> MatchView:
    said: Any = {"match": match.match.id, "outcome": outcome, "score": score, "reason": "seen"}
    return await do(decisions.decide, db=world.db, now=world.now, **{"actor": MODERATOR, **said, **more})


async def test_a_score_is_reported_from_ones_own_side_and_kept_as_that_of_the_match(
    world: World, match: MatchView
) -> None:
    waiting = await report(world, match.lower.name, match, "won", "87-62")
    assert waiting.match.scoreline == Scoreline()
    assert waiting.said(waiting.reports[0]) == f"{match.lower.name} reports: won 87{DASH}62"
    after = await do(
        reporting.confirm, db=world.db, actor=world.player(match.upper.name), now=world.now, match=match.match.id
    )
    assert after.match.match.scoreline == Scoreline(None, (62, 87))
    assert after.match.state_words == f"{match.lower.name} won 87{DASH}62"


async def test_a_report_without_a_score_or_with_one_that_can_not_be_is_refused(world: World, match: MatchView) -> None:
    for result, score, words in (
        ("won", None, "has a score: add it like 87-62, yours first"),
        ("lost", " ", "has a score"),
        ("won", "62-87", "A score of 62-87 isn't possible: the winner's isn't the lower one"),
        ("lost", "87-62", "the winner's isn't the lower one"),
        ("draw", "3-2", "after a draw both scores are the same"),
        ("won", "20000-3", "at most 9,999"),
        ("won", "lots", "isn't a score"),
    ):
        with pytest.raises(Invalid, match=words):
            await report(world, match.upper.name, match, result, score)
    assert (await first(world)).match.state is MatchState.OPEN


async def test_in_a_best_of_three_the_games_go_before_the_score(world: World) -> None:
    await world.begin(4, best_of=3, scores=True)
    match = await first(world)
    with pytest.raises(Invalid, match="Is 2-1 the games or the score"):
        await report(world, match.upper.name, match, "won", "2-1")
    with pytest.raises(Invalid, match="3-1 isn't possible"):
        await report(world, match.upper.name, match, "won", "3-1 87-62")
    after = await report(world, match.lower.name, match, "lost", "1-2 62-87")
    assert after.match.scoreline == Scoreline((2, 1), (87, 62))
    assert after.state_words == f"{match.upper.name} won 2{DASH}1 87{DASH}62"


async def test_another_score_is_disputed_and_the_same_confirms(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won", "87-62")
    again = await report(world, match.upper.name, match, "won", "87-62")
    assert (again.match.state, len(again.reports)) == (MatchState.REPORTED, 1)
    disputed = await report(world, match.lower.name, match, "lost", "60-87")
    assert disputed.match.state is MatchState.DISPUTED
    order = Order(actor=world.player(match.lower.name), now=world.now)
    offered = await world.db.read(possible_results.choices, order, match=match.match.id)
    assert f"Counts at once, if the score is 62{DASH}87" in {one.follows for one in offered.results}
    agreed = await report(world, match.lower.name, match, "lost", "62-87")
    assert (agreed.match.state, agreed.match.scoreline.score) == (MatchState.CONFIRMED, (87, 62))


async def test_the_winner_can_contest_the_score_of_a_loss_that_counts(world: World, match: MatchView) -> None:
    counts = await report(world, match.lower.name, match, "lost", "62-87")
    assert counts.match.state is MatchState.CONFIRMED
    assert (await report(world, match.upper.name, match, "won", "90-62")).match.state is MatchState.DISPUTED


async def test_what_is_taken_back_is_reported_again_with_its_score(world: World, match: MatchView) -> None:
    await report(world, match.upper.name, match, "won", "87-62")
    done = await report(world, match.lower.name, match, "lost", "62-87")
    back: Any = {"match": match.match.id, "version": done.match.version}
    restored = await do(reporting.take_back, db=world.db, actor=world.player(match.lower.name), now=world.now, **back)
    assert (restored.match.state, restored.match.scoreline) == (MatchState.REPORTED, Scoreline())
    assert restored.reports[-1].scoreline.score == (87, 62)


async def test_moderators_decide_with_a_score_or_without(world: World, match: MatchView) -> None:
    after = await decide(world, match, Outcome.LOWER, "87-62")
    assert (after.match.kind, after.match.scoreline.score) == (Kind.ADJUDICATED, (62, 87))
    fewer = await decide(world, match, Outcome.LOWER, "62-87")
    assert fewer.match.scoreline.score == (87, 62)
    with pytest.raises(Invalid, match="the winner's isn't the lower one"):
        await decide(world, match, Outcome.LOWER, "62-87", kind=Kind.PLAYED)
    with pytest.raises(Invalid, match=r"'62' isn't a score\. Type it like 87-62, the winner's first"):
        await decide(world, match, Outcome.LOWER, "62")
    assert (await decide(world, match, Outcome.UPPER, None)).match.scoreline == Scoreline()
    assert (await decide(world, match, Outcome.DRAW, "5-5", kind=Kind.PLAYED)).match.scoreline.score == (5, 5)
    with pytest.raises(Invalid, match="A double loss has no score"):
        await decide(world, match, Outcome.DOUBLE_LOSS, "5-5")
    forfeit = await decide(world, match, Outcome.UPPER, None, kind=Kind.FORFEIT, only_this_match=True)
    assert forfeit.match.scoreline == Scoreline()


async def test_a_cleared_match_has_no_score(world: World, match: MatchView) -> None:
    await report(world, match.lower.name, match, "lost", "62-87")
    cleared: Any = {"match": match.match.id, "reason": "wrong opponent"}
    open_ = await do(clearing.clear, db=world.db, actor=MODERATOR, now=world.now, **cleared)
    assert (open_.match.scoreline, open_.reports) == (Scoreline(), ())


async def test_a_season_without_scores_takes_none(world: World) -> None:
    await world.begin(4)
    match = await first(world)
    with pytest.raises(Invalid, match="have games only"):
        await report(world, match.upper.name, match, "won", "1-0 87-62")


@pytest.mark.long
async def test_a_score_goes_out_with_the_league_file_and_comes_in_again(world: World) -> None:
    await world.begin(4, best_of=3, scores=True)
    match = await first(world)
    await report(world, match.lower.name, match, "lost", "1-2 62-87")
    while (await world.status()).season.phase in PLAYING:
        await play_round(world)
    text = (await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=world.league_id))).text
    season = reading.read(text.encode())
    assert {match.score for round_ in season.rounds for match in round_.matches} == {(87, 62)}
    assert verify(season).agrees
    league = await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)
    there = Order(actor=BOT, now=world.now, league_id=league.id)
    await steps.import_file(world.db, there, data=text.encode())
    again = json.loads((await world.db.read(exporting.export, there)).text)
    assert {**again, "league": season.league} == json.loads(text)


@pytest.mark.long
async def test_a_corrected_final_keeps_the_scores_of_matches_that_stay(world: World) -> None:
    await world.begin(8, "single-elimination", scores=True)
    await play_round(world)
    await play_round(world)
    quarters, semis = await played(world, 1), await played(world, 2)
    wrong = quarters[0]
    (other,) = [match for match in semis if wrong.winner not in {side.name for side in match.sides}]
    with pytest.raises(ConfirmationNeeded) as asked:
        await decide(world, wrong, Outcome.LOWER, "70-69", actor=ORGANISER)
    await decide(world, wrong, Outcome.LOWER, "70-69", actor=ORGANISER, agreed=asked.value.token)
    (stays,) = [match for match in await played(world, 2) if match.match.state is MatchState.CONFIRMED]
    assert (stays.pairing, stays.state_words) == (other.pairing, other.state_words)
    assert stays.match.scoreline.score == (87, 62)
    assert (await played(world, 1))[0].match.scoreline.score == (69, 70)


@pytest.mark.long
async def test_tables_brackets_careers_and_pages_show_the_score(world: World) -> None:
    await world.begin(4, "single-elimination", scores=True)
    while (await world.status()).season.phase in PLAYING:
        await play_round(world)
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    (final,) = await played(world)
    assert final.winner is not None
    assert final.loser is not None
    bracket = await world.db.read(tables.bracket, order)
    boxes = [in_bracket(match, bracket.seeds, bracket.called) for match in bracket.tree]
    assert {tuple(sorted(side.score for side in box.sides)) for box in boxes} == {("62", "87")}
    (won,) = (await world.db.read(champions.champions, order)).won
    assert (won.champion, won.scoreline) == (final.upper, Scoreline(None, (87, 62)))
    told = pages(await world.db.read(whole_league.whole, by_bot(world.now, world.league_id)))
    season = next(text.decode() for path, text in told.items() if "season-1" in path and path.endswith("index.html"))
    assert season.count(f"87{DASH}62") >= 3
    person = [text.decode() for path, text in told.items() if "player" in path and path.endswith(".html")]
    assert any(f"62{DASH}87" in text for text in person)


@pytest.mark.long
@pytest.mark.parametrize("best_of", [1, 3])
async def test_what_is_exported_as_a_table_comes_in_again_with_games_and_scores(world: World, best_of: int) -> None:
    await world.begin(6, "keyforge-swiss", best_of=best_of, scores=True, draws=True, rounds=2, cut=0)
    first_match, second, third = await played(world)
    await decide(world, first_match, Outcome.LOWER, "10-99")
    await decide(world, second, Outcome.DRAW, "5-5", kind=Kind.PLAYED)
    await report(world, third.lower.name, third, "lost", "12-30" if best_of == 1 else "1-2 12-30")
    first_match, second, third = await played(world)
    await decide(world, first_match, Outcome.UPPER, None, kind=Kind.FORFEIT, only_this_match=True)
    await report(world, second.upper.name, second, "lost", "7000-7000")
    await report(world, third.upper.name, third, "lost", "0-1" if best_of == 1 else "0-2 0-1")
    order = Order(actor=BOT, now=world.now, league_id=world.league_id)
    sheets = season_sheets.sheets(await world.db.read(season_sheets.taken, order))
    found = read(to_csv(next(sheet for sheet in sheets if sheet.name == "matches")), "matches.csv")
    assert (found.questions, found.problems) == ((), ())
    (season,) = recorded(found, "Copy", [1])
    text = (await world.db.read(exporting.export, order)).text
    there = [match for round_ in reading.read(text.encode()).rounds for match in round_.matches]
    again = [match for round_ in season.rounds for match in round_.matches]
    assert [(one.players, one.winner, one.kind, one.games, one.score) for one in again] == [
        (one.players, one.winner, one.kind, one.games, one.score) for one in there
    ]
    assert reading.read(writing.to_json(season).encode()) == season


@pytest.mark.long
@pytest.mark.parametrize("best_of", [1, 3])
async def test_who_plays_on_the_practice_server_reports_scores_that_can_be(world: World, best_of: int) -> None:
    await world.begin(16, "keyforge-swiss", best_of=best_of, scores=True, draws=True)
    for match in await played(world):
        story = _Story(match)
        done = await report(world, story.reporter.name, match, story.report["result"], story.report["score"])
        assert done.match.state in (MatchState.REPORTED, MatchState.CONFIRMED)
