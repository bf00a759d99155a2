"""Who listens to what, and who answers what: the only place that knows all subjects."""

from collections.abc import Mapping, Sequence

from bot.services import clock
from bot.services.base import asked, events, notices, open_questions, parked_posts, post_kinds, promises
from bot.services.base.asked import FilePart, Held, Job, Shown, Tables
from bot.services.base.events import (
    AccountChanged,
    Event,
    FieldChanged,
    ForfeitDecided,
    Listener,
    MatchChanged,
    MatchReseated,
    Paused,
    PlayerForgotten,
    ResultsMissing,
    RoundPosted,
    RoundTakenBack,
    SeasonOver,
    SeatTaken,
    SettingsChanged,
)
from bot.services.base.post_kinds import Load, PostKind
from bot.services.lists import handing_in, list_files, list_posts, list_sets, sealing, sight
from bot.services.matches import decided
from bot.services.organising import daily_reminder, round_maps, timer
from bot.services.play import course, deadlines, moving_up, news, round_posts, transitions, unanswered
from bot.services.players import moving_up_answers, rejoining
from bot.services.problems import answering, disputed, evidence, following, presence, staying
from bot.services.reads import board, champion, inbox, round_page, thread_card
from bot.services.seasons import invitations, pausing
from bot.services.seats import linking
from bot.services.signups import check_in, free_places, last_day
from bot.services.threads import thread_life
from bot.services.ties import commands, match_reports, state, tie_posts
from bot.services.times import agreement, proposing, time_posts
from storage.tables import (
    claims,
    lists,
    matches,
    memberships,
    notify,
    outbox,
    parked,
    rounds,
    sat_out,
    seasons,
    threads,
    times,
    waitlist,
)

LISTENERS: Mapping[type[Event], Sequence[Listener]] = {
    RoundPosted: (rejoining.round_posted, thread_life.round_posted, free_places.round_posted, sealing.round_posted),
    RoundTakenBack: (following.round_taken_back, agreement.round_taken_back, thread_life.round_taken_back),
    MatchChanged: (following.match_changed, agreement.match_changed, thread_life.match_changed),
    MatchReseated: (agreement.match_reseated, following.match_reseated, thread_life.match_reseated),
    ResultsMissing: (state.results_missing,),
    ForfeitDecided: (staying.forfeit_decided,),
    FieldChanged: (free_places.field_changed,),
    SeatTaken: (free_places.seat_taken, staying.seat_taken, moving_up.seat_taken),
    AccountChanged: (
        free_places.account_changed,
        presence.account_changed,
        check_in.account_changed,
        moving_up.account_changed,
        match_reports.account_changed,
        transitions.account_changed,
        proposing.account_changed,
        answering.account_changed,
    ),
    PlayerForgotten: (free_places.player_forgotten, rejoining.player_forgotten),
    SettingsChanged: (free_places.field_changed, sealing.settings_changed),
    Paused: (open_questions.paused, deadlines.paused, sealing.paused),
    SeasonOver: (
        free_places.season_over,
        following.season_over,
        sealing.season_over,
        state.season_over,
        thread_life.season_over,
    ),
}
"""Who follows from what happens, in this order."""

KINDS = (
    notices,
    promises,
    parked_posts,
    decided,
    round_posts,
    news,
    course,
    moving_up,
    free_places,
    check_in,
    invitations,
    pausing,
    rejoining,
    linking,
    list_posts,
    time_posts,
    tie_posts,
    evidence,
    staying,
    timer,
    daily_reminder,
)
"""Where kinds of posts are declared."""

LOADS: Mapping[PostKind, Load] = {
    promises.BOARD: board.load,
    promises.SIGNUP: board.load,
    promises.ROUND: round_page.load,
    promises.THREAD: thread_card.load,
    course.CHAMPION: champion.load,
    daily_reminder.WAITING: inbox.load,
}
"""Who loads what shows more than the subject that owes it knows."""

ASKED = Tables(
    holds=(state.hold,),
    costs_of_starting=(list_sets.cost_of_starting,),
    costs_of_pausing=(sealing.cost_of_pausing,),
    file_parts=(FilePart(add=list_files.add, take=list_files.take),),
    decks=(handing_in.keep_deck,),
    waits=(
        disputed.DISPUTES,
        answering.PROBLEMS,
        unanswered.STUCK,
        deadlines.LATE,
        rejoining.REQUESTS,
        staying.STAYS,
        state.TIES,
        deadlines.BY_HAND,
        parked_posts.MISSING,
        parked_posts.LATE,
    ),
    shown=(
        Shown(match=sight.on_match, season=list_posts.missing_words, person=sight.to_hand_in),
        Shown(match=round_maps.on_match),
    ),
    personal=(
        Held(word="lists", forget=lists.forget_person, withdraw=lists.withdraw),
        Held(word="texts", forget=claims.forget_person),
        Held(forget=sat_out.forget_person, withdraw=sat_out.withdraw),
        Held(word="times", forget=times.forget_person),
        Held(word="choices", forget=notify.forget_person),
        Held(forget=memberships.forget_person, withdraw=memberships.withdraw),
        Held(forget=waitlist.forget_person),
        Held(forget=threads.forget_person),
    ),
    jobs=(
        Job("end the pause of season {}", "seasons", seasons.pauses_due, pausing.resume),
        Job("tell the last day of sign-ups, season {}", "seasons", seasons.last_days_due, last_day.tell),
        Job("ask season {} to check in", "seasons", seasons.check_ins_due, check_in.ask),
        Job("start season {}", "seasons", seasons.signups_due, clock.begin, refused=clock.keep_open),
    ),
    later_jobs=(
        Job("ask again about match {}", "matches", matches.questions_due, unanswered.ask_again),
        Job("pass the deadline of round {}", "rounds", rounds.overdue, deadlines.pass_deadline, due=clock.is_late),
        Job("seal lists {}", "list_sets", lists.to_seal, sealing.seal_due),
        Job("remind of lists {}", "list_sets", lists.due_within_a_day, sealing.remind, due=sealing.is_to_remind),
        Job("let posts of league {} expire", "leagues", outbox.expired, outbox.expire),
        Job("try missing posts of league {} again", "leagues", parked.rested, parked_posts.try_rested),
        Job("archive the thread of match {}", "matches", threads.to_archive, thread_life.archive),
        Job("remind round {}", "rounds", matches.rounds_to_remind, deadlines.remind),
        Job("remind moderators of league {}", "leagues", daily_reminder.due, daily_reminder.remind),
        Job("go on from round {}", "rounds", rounds.played_out, clock.go_on, due=clock.can_end),
    ),
)
"""Who answers what is asked."""

QUESTIONS = (
    unanswered.REPORT,
    answering.PROBLEM_ANSWER,
    commands.TIE_ANSWER,
    free_places.PLACE_ANSWER,
    match_reports.TIE_REPORT,
    moving_up_answers.MOVING_UP_ANSWER,
    check_in.CHECK_IN_ANSWER,
)
"""What waits for someone's answer for some time; the clock looks in this order at what silence decides."""

events.wire(LISTENERS)
post_kinds.wire(KINDS, LOADS)
open_questions.wire(QUESTIONS)
asked.wire(ASKED)
