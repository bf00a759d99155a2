"""Who listens to what, who answers what, and the clock's jobs in order: the only place that knows all subjects."""

from collections.abc import Mapping, Sequence

from bot.services import clock
from bot.services.base import events, failed_posts, hooks, outbox, pending_questions, post_kinds
from bot.services.base.events import (
    AccountBanned,
    AccountChanged,
    AccountTaken,
    Event,
    FieldChanged,
    ForfeitDecided,
    ImportTakenBack,
    Listener,
    MatchChanged,
    MatchPrepared,
    MatchReseated,
    MergeTakenBack,
    ModeratorsMoved,
    Paused,
    PlayerBanned,
    PlayerForgotten,
    PlayersMerged,
    ResultsMissing,
    RoundClosed,
    RoundPosted,
    RoundReopened,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
    SettingsChanged,
)
from bot.services.base.hooks import CardSections, FilePart, Hooks, Job, PersonalData
from bot.services.base.post_kinds import AnyKind, Load
from bot.services.leagues import league_audit_words
from bot.services.lists import handing_in, list_files, list_posts, list_sets, sealing, visibility
from bot.services.matches import decision_posts, group_cards, match_audit_words
from bot.services.organising import (
    announcing,
    asked_corrections,
    daily_reminder,
    organising_audit_words,
    round_maps,
    timer,
)
from bot.services.people import (
    banning,
    keeping_apart,
    linking,
    moving_up_answers,
    people_audit_words,
    rejoining,
    renaming,
)
from bot.services.play import deadlines, news, progression, round_posts, transitions, unanswered
from bot.services.play.field import moving_up
from bot.services.problems import (
    answering,
    disputed,
    evidence,
    on_server,
    patience,
    problem_audit_words,
    problem_events,
    stay_or_leave,
)
from bot.services.reads import board, champion, details, inbox, round_page
from bot.services.roles import role_holders
from bot.services.seasons import fingerprinting, given_groups, invitations, pausing, season_audit_words
from bot.services.seats import seat_audit_words
from bot.services.signups import (
    approval,
    check_in,
    free_places,
    last_day,
    letting_in,
    names_in_game,
    recognising,
    signup_audit_words,
)
from bot.services.threads import thread_life
from bot.services.ties import open_ties, tie_match_reports, tie_posts
from bot.services.times import proposing, time_events, time_posts
from storage.tables import held_roles, imports, lists, matches, problems, rounds, seasons, threads, times
from storage.tables.field import first_matches, sat_out
from storage.tables.outbox import deliveries, post_failures
from storage.tables.people import apart, bans, memberships, merges
from storage.tables.signups import claims

LISTENERS: Mapping[type[Event], Sequence[Listener]] = {
    RoundPosted: (
        rejoining.round_posted,
        thread_life.round_posted,
        free_places.round_posted,
        approval.round_posted,
        sealing.round_posted,
        stay_or_leave.round_posted,
    ),
    RoundClosed: (fingerprinting.round_closed, tie_match_reports.round_closed),
    RoundTakenBack: (
        problem_events.round_taken_back,
        time_events.round_taken_back,
        keeping_apart.round_taken_back,
        sealing.round_taken_back,
        free_places.round_taken_back,
        approval.round_taken_back,
        rejoining.round_taken_back,
        stay_or_leave.round_taken_back,
        patience.round_taken_back,
        asked_corrections.round_taken_back,
    ),
    MatchChanged: (
        group_cards.match_changed,
        problem_events.match_changed,
        time_events.match_changed,
        thread_life.match_changed,
        stay_or_leave.match_changed,
        open_ties.result_changed,
        asked_corrections.match_changed,
        patience.something_changed,
    ),
    MatchPrepared: (patience.something_changed,),
    MatchReseated: (time_events.match_reseated, problem_events.match_reseated, thread_life.match_reseated),
    ResultsMissing: (open_ties.nothing_to_decide, moving_up.results_missing),
    RoundReopened: (timer.round_reopened,),
    ForfeitDecided: (stay_or_leave.forfeit_decided,),
    FieldChanged: (free_places.field_changed, sealing.field_changed, open_ties.ask_anew, patience.something_changed),
    SeatTaken: (
        free_places.seat_taken,
        approval.seat_taken,
        stay_or_leave.seat_taken,
        moving_up.seat_taken,
        tie_match_reports.seat_taken,
        sealing.seat_taken,
    ),
    AccountChanged: (
        linking.account_changed,
        free_places.account_changed,
        approval.account_changed,
        recognising.account_changed,
        on_server.account_changed,
        check_in.account_changed,
        moving_up.account_changed,
        tie_match_reports.account_changed,
        thread_life.account_changed,
        transitions.account_changed,
        proposing.account_changed,
        answering.account_changed,
        patience.account_changed,
    ),
    PlayerForgotten: (
        free_places.player_forgotten,
        approval.player_gone,
        recognising.player_gone,
        rejoining.player_gone,
    ),
    PlayerBanned: (
        free_places.player_banned,
        approval.player_gone,
        recognising.player_gone,
        rejoining.player_gone,
        linking.player_banned,
    ),
    AccountTaken: (recognising.account_settled, linking.account_settled),
    AccountBanned: (recognising.account_settled, linking.account_settled),
    PlayersMerged: (recognising.merged,),
    MergeTakenBack: (approval.merge_taken_back,),
    ImportTakenBack: (recognising.import_taken_back,),
    SettingsChanged: (
        free_places.field_changed,
        letting_in.settings_changed,
        check_in.settings_changed,
        names_in_game.settings_changed,
        sealing.settings_changed,
    ),
    ModeratorsMoved: (
        hooks.moderators_moved,
        approval.moderators_moved,
        recognising.moderators_moved,
    ),
    Paused: (pending_questions.paused, deadlines.paused, sealing.paused),
    SeasonOver: (
        free_places.season_over,
        approval.season_over,
        recognising.season_over,
        rejoining.season_over,
        renaming.season_over,
        sealing.season_over,
        open_ties.nothing_to_decide,
        asked_corrections.season_over,
        thread_life.season_over,
    ),
}
"""Who follows from what happens, in this order."""

KINDS = (
    outbox,
    failed_posts,
    decision_posts,
    round_posts,
    group_cards,
    news,
    progression,
    moving_up,
    free_places,
    approval,
    recognising,
    check_in,
    invitations,
    pausing,
    rejoining,
    linking,
    list_posts,
    time_posts,
    tie_posts,
    evidence,
    stay_or_leave,
    patience,
    timer,
    daily_reminder,
    announcing,
    asked_corrections,
)
"""Where kinds of posts are declared."""

LOADS: Mapping[AnyKind, Load] = {
    outbox.BOARD: board.load,
    outbox.SIGNUP: board.load,
    outbox.ROUND: round_page.load,
    outbox.GROUP: round_page.load_group,
    outbox.THREAD: details.load_thread,
    progression.CHAMPION: champion.load,
    daily_reminder.WAITING: inbox.load,
}
"""Who loads what shows more than the subject that queues it knows."""

ASKED = Hooks(
    holds=(open_ties.hold,),
    costs_of_starting=(given_groups.cost_of_starting, list_sets.cost_of_starting, recognising.cost_of_starting),
    costs_of_pausing=(sealing.cost_of_pausing,),
    costs_of_substituting=(sealing.cost_of_substituting,),
    file_parts=(FilePart(add=list_files.add, take=list_files.take, remove=lists.remove_season),),
    typed={"deck": handing_in.keep_deck},
    audit_words={
        **league_audit_words.AUDIT_WORDS,
        **organising_audit_words.AUDIT_WORDS,
        **people_audit_words.AUDIT_WORDS,
        **match_audit_words.AUDIT_WORDS,
        **problem_audit_words.AUDIT_WORDS,
        **season_audit_words.AUDIT_WORDS,
        **seat_audit_words.AUDIT_WORDS,
        **signup_audit_words.AUDIT_WORDS,
        **handing_in.AUDIT_WORDS,
        **open_ties.AUDIT_WORDS,
        **time_events.AUDIT_WORDS,
        **failed_posts.AUDIT_WORDS,
    },
    requests=(names_in_game.request, sealing.request),
    refusals=(banning.refuse,),
    waits=(
        disputed.DISPUTES,
        answering.PROBLEMS,
        unanswered.STUCK,
        deadlines.LATE,
        approval.WAITING_TO_JOIN,
        recognising.WAITING_CLAIMS,
        rejoining.REQUESTS,
        stay_or_leave.STAYS,
        patience.NOT_BEGUN,
        open_ties.TIES,
        asked_corrections.CORRECTIONS,
        deadlines.BY_HAND,
        deadlines.NOT_POSTED,
        failed_posts.MISSING,
        failed_posts.LATE,
    ),
    shown=(
        CardSections(match=visibility.on_match, season=list_posts.missing_words, person=visibility.to_hand_in),
        CardSections(match=round_maps.on_match),
        CardSections(person=tie_match_reports.to_play),
        CardSections(match=names_in_game.on_match, person=names_in_game.to_answer),
    ),
    personal=(
        PersonalData(word="lists", forget=lists.forget_person, withdraw=lists.withdraw),
        PersonalData(word="texts", forget=problems.forget_person),
        PersonalData(forget=sat_out.forget_person, withdraw=sat_out.withdraw),
        PersonalData(word="times", forget=times.forget_person, new_account=times.copy_hours),
        PersonalData(word="choices"),
        PersonalData(withdraw=memberships.withdraw),
        PersonalData(word="answers"),
        PersonalData(word="claims", forget=claims.forget_person),
        PersonalData(forget=threads.forget_person),
        PersonalData(forget=imports.forget_person, merge=imports.merge_person),
        PersonalData(forget=bans.forget_person, merge=bans.merge_person),
        PersonalData(merge=apart.merge_person),
        PersonalData(forget=merges.forget_person),
        PersonalData(forget=first_matches.forget_person, withdraw=first_matches.withdraw),
    ),
    kept=(banning.kept_of,),
    jobs=(
        Job("end ban {}", "bans", bans.ended, banning.end),
        Job("end the pause of season {}", "seasons", seasons.pauses_due, pausing.resume),
        Job("tell the last day of sign-ups, season {}", "seasons", seasons.last_days_due, last_day.tell),
        Job("ask season {} to check in", "seasons", seasons.check_ins_due, check_in.ask),
        Job(
            "start season {}",
            "seasons",
            seasons.signups_due,
            clock.begin,
            refused=clock.keep_open,
            asks_ratings=True,
        ),
    ),
    later_jobs=(
        Job("ask who hasn't begun, round {}", "rounds", first_matches.rounds_due, patience.ask),
        Job("ask again about match {}", "matches", matches.questions_due, unanswered.ask_again),
        Job("pass the deadline of round {}", "rounds", rounds.overdue, deadlines.pass_deadline, due=clock.is_late),
        Job("seal lists {}", "list_sets", lists.to_seal, sealing.seal_due),
        Job("remind of lists {}", "list_sets", lists.due_within_a_day, sealing.remind, due=sealing.is_to_remind),
        Job("let posts of league {} expire", "leagues", deliveries.expired, deliveries.expire),
        Job(
            "send what a clock that was ahead keeps waiting in league {}",
            "leagues",
            deliveries.waiting_by_later_clock,
            deliveries.bring_forward,
        ),
        Job(
            "tell league {} of posts no longer missing",
            "leagues",
            post_failures.leagues_to_tell,
            failed_posts.update_notes,
        ),
        Job("try missing posts of league {} again", "leagues", post_failures.rested, failed_posts.try_rested),
        Job("archive the thread of match {}", "matches", threads.to_archive, thread_life.archive),
        Job("remind round {}", "rounds", matches.rounds_to_remind, deadlines.remind),
        Job("remind moderators of league {}", "leagues", daily_reminder.due, daily_reminder.remind),
        Job("see who has the roles of league {}", "leagues", held_roles.unseen, role_holders.settle),
        Job("advance from round {}", "rounds", rounds.played_out, clock.advance, due=clock.can_end),
    ),
)
"""Who answers what is asked."""

QUESTIONS = (
    unanswered.REPORT,
    answering.PROBLEM_ANSWER,
    open_ties.TIE_ANSWER,
    free_places.PLACE_ANSWER,
    tie_match_reports.TIE_REPORT,
    moving_up_answers.MOVING_UP_ANSWER,
    check_in.CHECK_IN_ANSWER,
    patience.FIRST_MATCH_ANSWER,
)
"""What waits for someone's answer for some time; the clock looks in this order at what silence decides."""

events.wire(LISTENERS)
post_kinds.wire(KINDS, LOADS)
pending_questions.wire(QUESTIONS)
hooks.wire(ASKED)
