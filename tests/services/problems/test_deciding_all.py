"""All open matches of a player decided at once: what each becomes, who is told, and what refuses it."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.matches import decision_posts, views
from bot.services.matches.decision_posts import DECIDED_TOGETHER
from bot.services.matches.views import MatchView
from bot.services.play import reporting
from bot.services.problems import deciding_all
from bot.services.problems.deciding_all import AllOpen, Way
from storage.rows import EntrantId, EntrantRow
from storage.tables import leagues
from storage.tables.field import entrants
from tests.files import change_by_hand, look_into
from tests.services.conftest import ADMIN, MODERATOR, ORGANISER, World
from tests.services.play.test_open_rounds import begin, lose, open_of
from tests.services.play.test_round_robin import file_of


def by(world: World, actor: Actor = MODERATOR) -> Order:
    return Order(actor=actor, now=world.now)


async def entrant(world: World, name: str) -> EntrantRow:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        row = entrants.by_name(conn, season_id, name)
    assert row is not None
    return row


async def decided(world: World, name: str, way: Way = Way.FORFEIT, actor: Actor = MODERATOR) -> AllOpen:
    player = (await entrant(world, name)).id
    look = await world.db.read(deciding_all.preview, by(world, actor), player=player)
    given: dict[str, Any] = {"player": player, "way": way, "reason": "never answered", "agreed": look.token}
    return await world.db.write(deciding_all.decide, by(world, actor), **given)


async def again(world: World, matches: Sequence[MatchView]) -> list[MatchView]:
    with look_into(world.db) as conn:
        return [views.match_view(conn, view.match.id) for view in matches]


@pytest.mark.long
async def test_all_opponents_win_by_forfeit_and_nobody_leaves(world: World) -> None:
    await begin(world)
    matches = await open_of(world, "dok")
    await decided(world, "dok")
    dok = await entrant(world, "dok")
    assert dok.active
    for view in await again(world, matches):
        assert (view.match.kind, view.match.winner_id) == (Kind.FORFEIT, view.opponent_of(dok).id)
    assert verify(await file_of(world)).agrees


@pytest.mark.long
async def test_both_lose_all_of_them(world: World) -> None:
    await begin(world)
    matches = await open_of(world, "dok")
    await decided(world, "dok", Way.BOTH)
    assert {view.match.kind for view in await again(world, matches)} == {Kind.DOUBLE_LOSS}


@pytest.mark.long
async def test_one_message_tells_everyone_concerned_once(world: World) -> None:
    await begin(world)
    matches, dok = await open_of(world, "dok"), await entrant(world, "dok")
    await decided(world, "dok")
    (post,) = await world.posts(DECIDED_TOGETHER)
    assert post.facts["pings"] == [dok.discord_id, *(view.opponent_of(dok).discord_id for view in matches)]
    assert await world.posts("decision") == ()


@pytest.mark.long
async def test_the_reason_stands_in_each_match_for_its_players(world: World) -> None:
    await begin(world)
    matches = await open_of(world, "dok")
    await decided(world, "dok")
    with look_into(world.db) as conn:
        for view in await again(world, matches):
            assert [told.why for told in decision_posts.of_match(conn, view)] == ["never answered"]
        other = next(view for view in await others_of(world, matches) if view.match.state is MatchState.OPEN)
        assert decision_posts.of_match(conn, other) == ()


async def others_of(world: World, matches: Sequence[MatchView]) -> Sequence[MatchView]:
    view = (await world.status()).current_round
    assert view is not None
    mine = {view.match.id for view in matches}
    return [other for other in view.matches if other.match.id not in mine]


@pytest.mark.long
async def test_what_is_reported_is_left_as_it_is_and_the_question_says_so(world: World) -> None:
    await begin(world)
    first, *others = await open_of(world, "dok")
    order = Order(actor=world.player("dok"), now=world.now)
    await world.db.write(reporting.report, order, match=first.match.id, result="won")
    look = await world.db.read(deciding_all.preview, by(world), player=(await entrant(world, "dok")).id)
    assert [view.match.id for view in look.decided] == [view.match.id for view in others]
    assert any(f"left as it is: {first.pairing}" in sentence for sentence in look.also)
    await decided(world, "dok")
    (left,) = await again(world, [first])
    assert left.match.state is MatchState.REPORTED


@pytest.mark.long
async def test_a_match_that_changed_since_is_asked_about_again(world: World) -> None:
    await begin(world)
    player = (await entrant(world, "dok")).id
    look = await world.db.read(deciding_all.preview, by(world), player=player)
    view = look.decided[0]
    await lose(world, view, "dok")
    given: dict[str, Any] = {"player": player, "way": Way.FORFEIT, "reason": "gone"}
    with pytest.raises(ConfirmationNeeded):
        await world.db.write(deciding_all.decide, by(world), **given, agreed=look.token)
    assert len(await open_of(world, "dok")) == 3
    assert await world.posts(DECIDED_TOGETHER) == ()


@pytest.mark.long
async def test_one_open_match_is_decided_on_its_own_card(world: World) -> None:
    await begin(world)
    for view in (await open_of(world, "dok"))[1:]:
        await lose(world, view, "dok")
    with pytest.raises(Conflict, match="no two open matches"):
        await decided(world, "dok")


async def test_a_reason_is_needed(world: World) -> None:
    await begin(world)
    player = (await entrant(world, "dok")).id
    given: dict[str, Any] = {"player": player, "way": Way.FORFEIT, "agreed": None}
    with pytest.raises(Invalid, match="reason"):
        await world.db.write(deciding_all.decide, by(world), **given, reason=" ")


@pytest.mark.long
async def test_players_cannot_and_a_moderator_cannot_decide_their_own(world: World) -> None:
    await begin(world)
    with pytest.raises(NotAllowed):
        await decided(world, "dok", actor=world.player("dok"))
    await let_play(world, (await entrant(world, "dok")).id, MODERATOR)
    with pytest.raises(NotAllowed, match="you play in this match"):
        await decided(world, "dok")


async def let_play(world: World, player: EntrantId, actor: Actor) -> None:
    """Let a player have the account of someone who decides."""
    with change_by_hand(world.db, seasons=False) as conn:
        sql = "UPDATE players SET discord_id = ? WHERE id = (SELECT player_id FROM entrants WHERE id = ?)"
        conn.execute(sql, (actor.user_id, player))


@pytest.mark.long
async def test_an_organiser_who_plays_decides_and_everyone_reads_that_they_play(world: World) -> None:
    await begin(world)
    await let_play(world, (await entrant(world, "dok")).id, ORGANISER)
    await decided(world, "dok", actor=ORGANISER)
    (post,) = await world.posts(DECIDED_TOGETHER)
    assert post.facts["by"].endswith("(who plays in one of them)")
    audits = [entry for entry in await world.audit() if entry.action == "result.set"]
    assert len(audits) == 4


@pytest.mark.long
async def test_a_forfeit_has_no_score_and_the_question_says_it_counts_as_nil(world: World) -> None:
    await begin(world, scores=True)
    matches = await open_of(world, "dok")
    done = await decided(world, "dok")
    assert "Without a score each counts as 0-0." in done.also
    assert {view.match.scoreline.score for view in await again(world, matches)} == {None}
    assert verify(await file_of(world)).agrees


async def test_the_last_results_end_the_stage_and_the_question_says_so(world: World) -> None:
    await begin(world, count=3, group_size=None)
    first, *_ = await others_of(world, await open_of(world, "dok"))
    await lose(world, first)
    done = await decided(world, "dok")
    assert any(sentence.startswith("These are the last results: this ends") for sentence in done.also)
    assert await open_of(world, "dok") == ()
    assert verify(await file_of(world)).agrees


async def test_matches_of_other_leagues_are_nobodys_here(world: World) -> None:
    await begin(world)
    player = (await entrant(world, "dok")).id
    with change_by_hand(world.db, seasons=False) as conn:
        conn.execute("UPDATE leagues SET guild_id = guild_id + 1")
    with look_into(world.db) as conn:
        assert leagues.get(conn, world.league_id).guild_id != ADMIN.guild_id
    with pytest.raises(NotFound):
        await world.db.read(deciding_all.preview, by(world), player=player)
