"""Faults put into the product on purpose: the file, what stands there, what is put in its place, what that does."""

from tests.planted import Fault

_ACT, _DELIVERIES, _DELIVERY = (
    "bot/services/base/transaction.py", "storage/tables/outbox/deliveries.py", "bot/services/delivery/delivery.py",
)  # fmt: skip
_OUTBOX, _PARKED, _QUESTIONS = (
    "storage/tables/outbox/outbox_rows.py", "storage/tables/outbox/post_failures.py",
    "bot/services/base/pending_questions.py",
)  # fmt: skip
_ANNOUNCER, _MESSAGES, _THREADS = (
    "cogs/posting/announcer.py", "cogs/posting/messages.py", "cogs/posting/match_threads.py",
)  # fmt: skip
_COURSE, _REPORTING, _TRANSITIONS = (
    "bot/services/play/progression.py", "bot/services/play/reporting.py", "bot/services/play/transitions.py",
)  # fmt: skip
_CLAIMS, _MERGING, _IMPORTING = (
    "bot/services/signups/claim_answers.py", "bot/services/people/merging.py",
    "bot/services/leagues/importing_records.py",
)  # fmt: skip
_WIRING, _CLOCK, _DATABASE = "bot/services/wiring.py", "bot/services/clock.py", "storage/database.py"

ACT = (
    Fault(_ACT, "    if right is not None:\n        right(tx)\n", "", "everyone may do what only organisers may"),
    Fault(
        _ACT,
        "if row is None or not belongs(row, actor):",
        "if row is None:",
        "leagues of other servers are open to everyone",
    ),
    Fault(
        _ACT, "            reason=shortened(reason),\n", "            reason=reason,\n", "a reason is kept unshortened"
    ),
    Fault(
        _REPORTING,
        '    transitions.require_current(view, version)\n    require_waiting(view, side, "confirm")',
        '    require_waiting(view, side, "confirm")',
        "an old button confirms a newer report",
    ),
    Fault(
        _REPORTING,
        "if side is not None and view.reports[-1].entrant_id == side.id:",
        "if False:",
        "players confirm their own reports",
    ),
    Fault(
        _REPORTING, "    return _advance(tx, after) if counts else", "    return", "no round ends by the last report"
    ),
    Fault(
        _TRANSITIONS,
        "(Kind.FORFEIT, view.match.opponent_of(loser_id))",
        "(Kind.FORFEIT, loser_id)",
        "who leaves wins their match",
    ),
    Fault(
        "bot/services/people/removing.py",
        "return withdrawals.leave(tx, entrant, DepartureKind.DISQUALIFICATION, why)",
        "return withdrawals.leave(tx, entrant, DepartureKind.DROP, why)",
        "who is disqualified has only dropped",
    ),
    Fault(
        _TRANSITIONS,
        "        reports.settle(tx.conn, view.match.id, tx.now)\n    return _save(tx, replace(view",
        "        pass\n    return _save(tx, replace(view",
        "a dispute stays open once it is decided",
    ),
    Fault(
        _TRANSITIONS,
        "    reports.clear(tx.conn, view.match.id, tx.now)\n    reports.restore",
        "    reports.restore",
        "what was taken back stays reported",
    ),
    Fault(
        _COURSE,
        '        tx.note("round.close", closed.words)\n',
        "",
        "the audit log doesn't tell that a round is over",
    ),
    Fault(
        "bot/services/seasons/lifecycle.py",
        "        rounds.change(tx.conn, row.id, phase=RoundPhase.CLOSED)\n",
        "        pass\n",
        "the round of a cancelled season stays open",
    ),
    Fault(
        "bot/services/matches/views.py",
        "scoreline = result.scoreline if side == self.upper else result.scoreline.flipped",
        "scoreline = said.scoreline",
        "the score a lower player reports stands on the other side",
    ),
)
EVENTS = (
    Fault(_WIRING, "        problem_events.match_changed,\n", "", "a problem stays open once its match has a result"),
    Fault(_WIRING, "        time_events.match_changed,\n", "", "times are proposed for a match that has a result"),
    Fault(_WIRING, "        problem_events.round_taken_back,\n", "", "a problem outlives its round"),
    Fault(
        "bot/services/base/retracting.py",
        "    threads.forget(conn, match_ids)\n",
        "",
        "threads of a round that was undone stay",
    ),
    Fault(_WIRING, "(open_ties.nothing_to_decide, mov", "(mov", "a tie stays asked though a result is missing again"),
    Fault(_WIRING, "        transitions.account_changed,\n", "", "a new account isn't asked about the report"),
    Fault(_WIRING, "        linking.account_changed,\n", "", "a link stays asked once the account is another"),
    Fault(_WIRING, "        free_places.player_forgotten,\n", "", "a forgotten person waits on"),
    Fault(_WIRING, "        free_places.season_over,\n", "", "who waits is offered a place in a season that is over"),
    Fault(_WIRING, "        open_ties.nothing_to_decide,\n", "", "a tie stays asked once the season is over"),
    Fault(_WIRING, "        renaming.season_over,\n", "", "a name kept for the end of the season is never taken"),
    Fault(
        "bot/services/base/events.py",
        "                for listen in _listeners[type(next_)]:",
        "                for listen in _listeners[type(next_)][1:]:",
        "the first listener hears nothing",
    ),
)
QUESTIONS = (
    Fault(
        _QUESTIONS,
        "            for row in question.about(conn, post):\n                _begin(conn, question, row, now)",
        "            pass",
        "the time to answer never begins",
    ),
    Fault(
        "bot/services/play/unanswered.py",
        "    return () if match is None or match.version != QUESTION.facts(post).version else (match.id,)",
        "    return () if match is None or match.version == QUESTION.facts(post).version else (match.id,)",
        "only a question that is outdated begins the time to answer",
    ),
    Fault(
        _QUESTIONS,
        "    question.silence(tx, row)\n    return True",
        "    return True",
        "silence decides nothing",
    ),
    Fault(
        _QUESTIONS,
        "    if account is None or actor.user_id != account:",
        "    if account is None:",
        "anyone answers what another is asked",
    ),
    Fault(
        "storage/question_rows.py",
        "t.{asked.until} <= :now AND {asked.live}",
        "t.{asked.until} <= :now + 86400 AND {asked.live}",
        "silence decides a day too soon",
    ),
    Fault(
        _TRANSITIONS,
        "    if asked.discord_id is not None:\n        tx.enqueue(QUESTION",
        "    if asked.discord_id is None:\n        tx.enqueue(QUESTION",
        "nobody is asked whether a report is right",
    ),
    Fault(
        _TRANSITIONS,
        "tx.enqueue(QUESTION, QuestionFacts(version=match.version), match",
        "tx.enqueue(QUESTION, QuestionFacts(version=match.version - 1), match",
        "a question asks about an older report",
    ),
    Fault(
        _TRANSITIONS,
        "    tx.enqueue(DISPUTE, Facts(), view.match)\n",
        "",
        "the moderators aren't told of a dispute",
    ),
    Fault(
        "bot/services/play/unanswered.py",
        "    outbox.retract_all(conn, view.match, QUESTION, now=now)\n    transitions.ask",
        "    transitions.ask",
        "the first question stays beside the second",
    ),
)
ANNOUNCER = (
    Fault(_MESSAGES, "nonce=_nonce(row, channel_id)", "nonce=None", "messages have no nonce"),
    Fault(
        _MESSAGES,
        "        if self.is_unsent(row):",
        "        if True:",
        "what was perhaps sent isn't looked for",
    ),
    Fault(
        _ANNOUNCER,
        "            await self.bot.database.write(delivery.begin, self.bot.now())\n",
        "",
        "what an earlier life sent and didn't note isn't looked for",
    ),
    Fault(
        _MESSAGES,
        "                row = await self._bot.database.write(delivery.lost, row.id)\n                if",
        "                if",
        "a message that is gone is sent with the nonce of the old one",
    ),
    Fault(
        _MESSAGES,
        "            if message_id is not None and not await self._deleted(",
        "            if message_id is None and not await self._deleted(",
        "messages aren't deleted",
    ),
    Fault(
        _MESSAGES,
        "            await self._threads.revive(channel_id, for_now=not _is_for_players(due))\n",
        "",
        "the card in an archived thread can't be edited",
    ),
    Fault(
        _MESSAGES,
        "                raise\n        await self._threads.rest(channel_id)\n",
        "                raise\n",
        "a thread opened to delete something in it stays open",
    ),
    Fault(
        _ANNOUNCER,
        "            await self._messages.delete(queued)\n            await self._note_deleted(queued)\n",
        "            await self._note_deleted(queued)\n",
        "what was taken back stays in the channel",
    ),
    Fault(
        _ANNOUNCER,
        "            await self._messages.delete(queued)\n            await self._note_deleted(queued)\n",
        "            await self._messages.delete(queued)\n",
        "a deleted message is deleted for ever",
    ),
    Fault(_ANNOUNCER, '"version": due.row.wanted', '"version": queued.id', "a post is never up to date, or always"),
    Fault(
        _ANNOUNCER,
        "            await self.bot.database.write(delivery.refused, post.id, self.bot.now())\n",
        "            pass\n",
        "who takes no direct messages is told nothing",
    ),
    Fault(
        _ANNOUNCER,
        "        if await self._threads.lost(post, error, problem):",
        "        if False:",
        "posts wait for a thread that is gone",
    ),
    Fault(
        _ANNOUNCER, "retry_at=None if wait is None else now + wait", "retry_at=None", "everything that fails is failed"
    ),
    Fault(
        _THREADS,
        "thread = await self._made_before(parent, post, mark) if may_exist else None",
        "thread = None",
        "a thread made before a death is made again",
    ),
    Fault(
        _DELIVERY,
        "        failed_posts.bring_back_alike(conn, post, now=now)\n    if post.attempts",
        "        pass\n    if post.attempts",
        "posts failed alike wait for their hour",
    ),
    Fault(
        _DELIVERY,
        "    if post.sent_at is None:\n        pending_questions.begin(conn, post, now)\n",
        "",
        "no time begins with a message",
    ),
    Fault(_DELIVERY, "(kind.personal or kept.only is not None) and not people", "False", "posts to nobody are sent"),
)
CLOCK = (
    Fault(
        _WIRING,
        '        Job("end the pause of season {}", "seasons", seasons.pauses_due, pausing.resume),\n',
        "",
        "no pause ends by the clock",
    ),
    Fault(_WIRING, '        Job("end ban {}", "bans", bans.ended, banning.end),\n', "", "no ban ends by the clock"),
    Fault(_CLOCK, "    tx.change_season(signups_close=None)\n", "", "a season that can't start tries so for ever"),
    Fault(
        "bot/steps.py",
        "                done += did\n",
        "                done += did\n                break\n",
        "the clock does one thing at a time",
    ),
    Fault(
        _WIRING,
        "            seasons.signups_due,\n            clock.begin,\n",
        "            lambda conn, now: (),\n            clock.begin,\n",
        "no season starts by the clock",
    ),
    Fault(
        "bot/services/play/deadlines.py",
        "    rounds.move_deadline(tx.conn, row.id, event.after, event.seconds)\n",
        "    rounds.move_deadline(tx.conn, row.id, event.after, 2 * event.seconds)\n",
        "a pause moves the deadline twice as far",
    ),
    Fault(
        "bot/services/play/deadlines.py",
        "    if tx.settings.overdue is Overdue.EXTEND and",
        "    if tx.settings.overdue is Overdue.DOUBLE_LOSS and",
        "matches nobody played are extended where both should lose",
    ),
    Fault(
        "bot/services/play/unanswered.py",
        "    matches.change(conn, match_id, ask_again_at=None)\n",
        "",
        "a question is asked again and again",
    ),
)
STORAGE = (
    Fault(
        _DATABASE,
        '                sqlite.execute("COMMIT")\n',
        '                sqlite.execute("ROLLBACK")\n',
        "nothing is kept",
    ),
    Fault(
        _DATABASE,
        "                sqlite.rollback()\n                _require_usable",
        '                sqlite.execute("COMMIT")\n                _require_usable',
        "what was refused is kept",
    ),
    Fault(
        "storage/cache.py",
        "if entry is None or entry[0] != version:",
        "if entry is None:",
        "what was worked out is never old",
    ),
    Fault(
        _OUTBOX,
        "_TAKE_OUT = _OUT.format(PERHAPS)",
        '_TAKE_OUT = _OUT.format("FALSE")',
        "what was perhaps sent and is taken out stays",
    ),
    Fault(
        _DELIVERIES,
        "state = CASE WHEN max(shown, :version) = wanted THEN 'done' ELSE 'due' END WHERE id = :post",
        "state = 'done' WHERE id = :post",
        "a change while a message is sent isn't shown",
    ),
    Fault(
        _OUTBOX,
        "UPDATE outbox SET superseded = 1, removed = 1,{_TAKE_OUT}",
        "UPDATE outbox SET removed = 1,{_TAKE_OUT}",
        "what was taken back can't be queued again",
    ),
    Fault(
        _PARKED,
        'shown = 0, channel_id = NULL, message_id = NULL, gone = gone + 1"\n    " WHERE match_id',
        'shown = 0"\n    " WHERE match_id',
        "what was asked in a deleted thread isn't asked again",
    ),
)
NEWER = (
    Fault(
        _CLAIMS,
        "    if row.answered_at is not None:\n        done",
        "    if False:\n        done",
        "who claimed to be someone is answered again and again",
    ),
    Fault(_CLAIMS, '    tx.note("claim.no", row.name)\n', "", "the audit log doesn't tell that a claim was refused"),
    Fault(
        _CLAIMS,
        "    _require_possible(tx, row, player)\n    recognising.end",
        "    recognising.end",
        "a claim is granted although the account or the name is someone's",
    ),
    Fault(
        _CLAIMS,
        '    players.change(tx.conn, player.id, discord_id=None, refused_at=None)\n    tx.note("player.unlink"',
        '    tx.note("player.unlink"',
        "an account that was taken off stays",
    ),
    Fault(
        _MERGING,
        "    _require_no_live_seat(tx, gone, stays)\n    _require_no_ban(tx, gone, stays)\n",
        "    _require_no_ban(tx, gone, stays)\n",
        "people are merged in the middle of a season both play",
    ),
    Fault(
        _MERGING,
        "    _require_one_person(tx, gone, stays, {*seasons[0]} & {*seasons[1]})\n",
        "",
        "two who played the same season become one",
    ),
    Fault(
        _MERGING,
        '    tx.note("player.merge", f"{gone.name} and {stays.name}", after={"name": stays.name}, reason=reason)\n',
        "",
        "the audit log doesn't tell of a merge",
    ),
    Fault(
        _IMPORTING,
        "    making_room.make_room(tx, row.id, now.moved)\n",
        "",
        "no season makes room for those of an import",
    ),
    Fault(
        _IMPORTING,
        '    tx.note("league.import_records", _listed(numbers), after=size)\n',
        "",
        "the audit log doesn't tell of an import",
    ),
    Fault(
        "bot/services/leagues/taking_back.py",
        "    making_room.give_back(tx, moved)\n",
        "",
        "seasons keep the numbers they had from an import that was taken back",
    ),
    Fault(
        "bot/services/leagues/file_contents.py",
        "league_names=entry.called, **listed)",
        "**known)",
        "a copied season forgets what was known of earlier meetings when it started",
    ),
    Fault(
        "bot/services/leagues/exporting.py",
        "                over=row.phase not in LIVE and not rounds.published(conn, row.id),\n",
        "                over=False,\n",
        "a season that was over goes on in the copy of its league",
    ),
    Fault(
        "bot/league/formats/round_robin/berger.py",
        "        return ()\n    pairs = table_round(players, at + 1)",
        "        return ()\n    pairs = table_round(players, at)",
        "the rounds of a round robin begin with the last",
    ),
    Fault(
        _COURSE,
        "    for open_ in at_once:\n        require_move(open_.phase",
        "    for open_ in (row,):\n        require_move(open_.phase",
        "of rounds that are open at once only one is over",
    ),
    Fault(
        "bot/services/play/clearing.py",
        "any(row.id == view.match.round_id for row in at_once)",
        "at_once[0].id == view.match.round_id",
        "of rounds that are open at once only results of one can be cleared",
    ),
    Fault(
        "bot/services/play/deadlines.py",
        "for other in rounds.at_once(conn, row) for match in matches.overdue",
        "for other in (row,) for match in matches.overdue",
        "of rounds that are open at once only matches of one are overdue",
    ),
    Fault(_WIRING, "        group_cards.match_changed,\n", "", "the card of a group isn't drawn again"),
    Fault(
        "bot/league/summaries/league_records.py",
        "sum(match.rated is not None for match in season.matches)",
        "len(season.matches)",
        "forfeits count for the record of matches",
    ),
    Fault(
        "bot/league/summaries/league_records.py",
        "for match, number in in_a_row(season.matches, counts.run):",
        "for match, number in in_a_row(season.matches):",
        "a run ends with its season",
    ),
    Fault(
        "bot/services/leagues/exporting.py",
        "                worked_out=_worked_out(conn, row),\n",
        "",
        "a copied league keeps ratings that were worked out as if they had been given",
    ),
    Fault(
        "bot/services/times/calendars.py",
        "max(lowest, newest.sequence + other)",
        "max(lowest, newest.sequence)",
        "a calendar doesn't take in what changed within a second",
    ),
    Fault(
        "bot/league/summaries/divisions.py",
        "    if leads_to > divisions:\n",
        "    if leads_to >= divisions:\n",
        "who begins in the last division is told that there are fewer now",
    ),
    Fault(
        "bot/league/formats/round_robin/everybody.py",
        "min(moves, len(upper) // 2, len(lower) // 2)",
        "min(moves, len(upper), len(lower))",
        "more than half of a division go up and down",
    ),
)
"""In what is newest: claims, merges, imports, whole leagues, groups, open stages, records, calendars, divisions."""
FAULTS = {
    f"{name}-{number}": fault
    for name, faults in (
        ("act", ACT),
        ("events", EVENTS),
        ("questions", QUESTIONS),
        ("announcer", ANNOUNCER),
        ("clock", CLOCK),
        ("storage", STORAGE),
        ("newer", NEWER),
    )
    for number, fault in enumerate(faults, 1)
}
