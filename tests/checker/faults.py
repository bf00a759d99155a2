"""Faults put into one engine on purpose: the file, what stands there, what is put in its place, what that does."""

from tests.planted import Fault


def _program(file: str, old: str, new: str, what: str) -> Fault:
    return Fault(f"bot/league/{file}", old, new, what)


def _checker(file: str, old: str, new: str, what: str) -> Fault:
    return Fault(f"bot/site/checker/{file}", old, new, what)


PROGRAM = (
    _program("counting/draw.py", "unicodedata.normalize('NFC', name)}", "name.casefold()}", "draws ignore capitals"),
    _program("counting/draw.py", "{purpose}/{salt}{", "{purpose}/{", "the salt is left out of draws"),
    _program("counting/draw.py", "[secret, *listed]", "[*listed, secret]", "the secret stands after the names"),
    _program("counting/meetings.py", "PAST_SEASONS = 2", "PAST_SEASONS = 1", "one past season too few is avoided"),
    _program(
        "counting/meetings.py",
        "round_.stage in counted and round_.number < number",
        "round_.stage in counted and round_.number < number - 1",
        "the last round's meetings are forgotten",
    ),
    _program("counting/meetings.py", "both.add(*players, kept_apart)", "pass", "players kept apart are paired"),
    _program("counting/records.py", "self.wins += 1\n            self.byes += 1", "self.byes += 1", "a bye is no win"),
    _program("counting/records.py", "points = scale.draw", "points = scale.loss", "a draw has the points of a loss"),
    _program("counting/records.py", "[mine] - usual_points", "[mine]", "points of a decision come on top of the usual"),
    _program(
        "counting/records.py", "match.games[1 - mine]", "match.games[mine]", "games won are counted as games lost"
    ),
    _program(
        "counting/tiebreaks.py", "for beaten in record.beaten", "for beaten in record.opponents", "BOW of all met"
    ),
    _program("counting/tiebreaks.py", "2 * _ratio(*opponents[name])", "_ratio(*opponents[name])", "OWR isn't doubled"),
    _program("counting/tiebreaks.py", "_ratio(r.points, r.rounds)", "_ratio(r.wins, r.rounds)", "SoS counts wins"),
    _program("counting/tiebreaks.py", "denominator * len(met)", "denominator * record.rounds", "byes lower the SoS"),
    _program(
        "counting/tiebreaks.py",
        "record.game_losses + lost",
        "2 * record.game_losses + lost",
        "lost games count twice",
    ),
    _program("counting/tiebreaks.py", "bits = 2 * widest.bit_length()", "bits = 2", "close tie-breaks are equal"),
    _program(
        "counting/history.py",
        "range(max(gone.round, first[gone.name])",
        "range(1 + gone.round",
        "a missed round is free",
    ),
    _program("counting/history.py", "range(1, entered)", "range(2, entered)", "who enters late hasn't lost round 1"),
    _program(
        "counting/history.py",
        "next((r.number for r in reversed(self.rounds) if r.finished), 0)",
        "self.number",
        "tables are drawn with the round to come",
    ),
    _program(
        "counting/ratings.py",
        "winner is None and not scale.draw_probability",
        "winner is None",
        "drawn matches change no rating",
    ),
    _program(
        "counting/ratings.py", "rating.mu - 3 * rating.sigma", "rating.mu - 2 * rating.sigma", "ranking by mu - 2 sigma"
    ),
    _program(
        "counting/ratings.py",
        "sqrt(2 * scale.beta**2",
        "sqrt(scale.beta**2",
        "chances of one player's performance alone",
    ),
    _program("counting/seat_holders.py", "row.round <= number", "row.round < number", "substitutes come a round late"),
    _program("pairing/drawn_byes.py", "least = min(", "least = max(", "the bye goes to those with the most"),
    _program(
        "pairing/drawn_byes.py",
        "draw.first(Purpose.BYE, left)",
        "draw.first(Purpose.ORDER, left)",
        "byes by another draw",
    ),
    _program(
        "pairing/tier_opponent.py",
        "refusing = other if refusing is None else refusing",
        "refusing = other",
        "of those who could refuse the highest is taken",
    ),
    _program(
        "pairing/tier_opponent.py", "self.height[chooser])\n", "self.height[chooser]) // 2\n", "half as many can refuse"
    ),
    _program(
        "pairing/list_opponent.py",
        "and names[other] in met:",
        "and names[other] in met and False:",
        "lists have rematches",
    ),
    _program(
        "pairing/list_opponent.py",
        "for pair in undone for other in pair if",
        "for pair in reversed(undone) for other in pair if",
        "the last pair is broken up first",
    ),
    _program(
        "pairing/__init__.py",
        "max(matching.dispensable())",
        "min(matching.dispensable())",
        "the first floats, not the last",
    ),
    _program(
        "match_day/dice_offs.py", "if first < other else", "if first > other else", "the first choice stays with one"
    ),
    _program("match_day/dice_offs.py", "[: number - 1]", "[: number - 2]", "the last round's dice-offs don't count"),
    _program(
        "formats/ohs/__init__.py", "past=1 if played == 1 else 0", "past=0", "round 2 of ohs ignores the season before"
    ),
    _program(
        "formats/ohs/__init__.py", "record.wins >= record.losses for", "record.wins > record.losses for", "a cut of ohs"
    ),
    _program(
        "formats/ohs/tiers.py", "CAREFUL_TIERS = 1", "CAREFUL_TIERS = 2", "the tier of two losses is sorted by SoS"
    ),
    _program(
        "formats/ohs/tiers.py",
        "/ record.rounds, DECIMALS",
        "/ max(1, len(record.opponents)), DECIMALS",
        "SoS without byes",
    ),
    _program(
        "formats/ohs/tiers.py",
        "ordered, ordered[len(ordered) // 2 :])",
        "ordered, ordered[(len(ordered) + 1) // 2 :])",
        "the middle of an odd tier isn't paired up",
    ),
    _program(
        "formats/ohs/tiers.py", ") < record.losses_before", ") > record.losses_before", "paired down is paired up"
    ),
    _program("pairing/drawn_byes.py", "greatest = max(", "greatest = min(", "the bye goes to the best tier"),
    _program("formats/ohs/finals.py", "byes, byes + 1)", "byes, byes - 1)", "two seeds with a bye aren't seeded again"),
    _program(
        "formats/two_loss_out/cut.py",
        "2 * len(undefeated) <= cut",
        "2 * len(undefeated) < cut",
        "early by half, not below",
    ),
    _program(
        "formats/two_loss_out/cut.py", "TIEBREAK_ROUNDS = 2", "TIEBREAK_ROUNDS = 1", "one tie-break round at most"
    ),
    _program("formats/two_loss_out/cut.py", "< 2 * now.left", "<= 2 * now.left", "the run-offs end a round early"),
    _program(
        "formats/two_loss_out/pools.py", "in reversed(pools) if", "in pools if", "the bye comes from the best pool"
    ),
    _program(
        "formats/two_loss_out/pools.py", "drawn if any(met", "drawn if all(met", "who is paired up has met nobody there"
    ),
    _program("formats/swiss/__init__.py", "((8, 0)", "((9, 0)", "nine players have no finals"),
    _program(
        "formats/swiss/__init__.py", "(entrants - 1).bit_length()", "entrants.bit_length()", "eight play four rounds"
    ),
    _program(
        "formats/swiss/keyforge.py",
        "in reversed(self.table(history))",
        "in self.table(history)",
        "the best has the bye",
    ),
    _program(
        "formats/swiss/keyforge.py",
        "first[r.name], second[r.name]",
        "second[r.name], first[r.name]",
        "SoS after ext. SoS",
    ),
    _program(
        "formats/swiss/lightseekers.py",
        "byes_so_far(records), wins)",
        "byes_so_far(records))",
        "byes by the draw alone",
    ),
    _program(
        "formats/swiss/lightseekers.py",
        "row.record.wins, beaten, games, share",
        "row.record.wins, games, beaten, share",
        "games before the wins of the beaten",
    ),
    _program(
        "formats/swiss/lightseekers.py",
        "lambda decision: decision[1].after_round",
        "lambda decision: -decision[1].after_round",
        "the oldest order counts",
    ),
    _program(
        "formats/swiss/score_groups.py", "sorted(groups, reverse=True)", "sorted(groups)", "the lowest group is first"
    ),
    _program(
        "formats/swiss/score_groups.py",
        "return block if fewest_rematches(order, met) == 0 else None",
        "return block",
        "a group keeps to itself, whatever rematches that takes",
    ),
    _program("formats/single_elimination.py", "-seeds[row.name])", "seeds[row.name])", "the worst seed is the best"),
    _program(
        "formats/shared/staged.py", "history)) - history.arriving()", "history))", "who comes for the finals is in them"
    ),
    _program(
        "formats/shared/staged.py",
        "return here if history.season.settings.replace else here.union(",
        "return here if not history.season.settings.replace else here.union(",
        "places of those who left are filled the other way round",
    ),
    _program(
        "bracket/tree.py", "bracket.places[: half - 1 : -1]", "bracket.places[half:]", "the best meets the middle"
    ),
    _program(
        "formats/single_elimination.py",
        "draw.sort(Purpose.ORDER, by_bye[byes:])",
        "by_bye[byes:]",
        "one draw for byes and pairs",
    ),
    _program("checking/fingerprints.py", 'f"{before}\\n"', "before", "fingerprints are joined otherwise"),
    _program(
        "checking/fingerprints.py", "decision.after_round == round_.number", "False", "fingerprints without orders"
    ),
    _program(
        "formats/two_loss_out/pools.py",
        "and history.number > 1",
        "and history.number > 99",
        "rematches that another bye or pair-up avoids",
    ),
    _program(
        "formats/two_loss_out/pools.py",
        "fewest_first(drawn, needed.__getitem__)",
        "drawn[0]",
        "rematches that another pair-up avoids",
    ),
    _program(
        "formats/two_loss_out/mixed_finals.py",
        "(*range(at + 1, len(duels)), *range(at - 1, -1, -1))",
        "()",
        "undefeated meet in the semi-finals",
    ),
    _program(
        "formats/two_loss_out/mixed_finals.py",
        "(*range(at + 1, len(duels)), *range(at - 1, -1, -1))",
        "(*range(at - 1, -1, -1), *range(at + 1, len(duels)))",
        "the nearest match above comes first",
    ),
    _program(
        "formats/two_loss_out/elimination.py",
        "for name in history.active() if name in round_.seated",
        "for name in round_.seated",
        "who left plays a round again",
    ),
    _program("counting/tiebreaks.py", "fewest = best_of // 2 + 1", "fewest = 0", "a win by forfeit has no game wins"),
    _program(
        "formats/swiss/lightseekers.py",
        "if group_of.get(decision.order[0]) == group",
        "if group_of[decision.order[0]] >= group",
        "an order of some of a group of equals counts",
    ),
    _program(
        "formats/shared/bracketed.py",
        "if kept is None else from_slots(kept)",
        "if True else from_slots(kept)",
        "a bracket is drawn again when a player is forgotten",
    ),
    _program("checking/fingerprints.py", '"score": match.score}', '"score": None}', "fingerprints without scores"),
    _program("season/match_score.py", "Result.WON: own < other", "Result.WON: own <= other", "a tied score is refused"),
    _program(
        "formats/round_robin/lines.py",
        "if 2 * played[name] < opponents[name])",
        "if 2 * played[name] <= opponents[name])",
        "who left after exactly half of their matches is struck",
    ),
    _program(
        "formats/round_robin/lines.py",
        "(match.score if scores else match.games)",
        "match.games",
        "scores count nothing",
    ),
    _program(
        "formats/round_robin/group_table.py",
        "tiebreaks if again else tuple(rest)",
        "tuple(rest)",
        "fewer equals aren't compared in their own matches again",
    ),
)

CHECKER = (
    _checker("season.js", "...(salt === null ? [] : [salt])", "...[]", "the salt is left out of draws"),
    _checker(
        "season.js",
        "this.draw(round, purpose, b) ? -1 : 1",
        "this.draw(round, purpose, b) ? 1 : -1",
        "the greatest draw",
    ),
    _checker("season.js", "row.round <= round && row", "row.round < round && row", "substitutes come a round late"),
    _checker("season.js", "round < until", "round <= until", "players are kept apart a round too long"),
    _checker(
        "season.js",
        "round > gone.round : round >= gone.round",
        "round > gone.round : round > gone.round",
        "drops a round late",
    ),
    _checker("season.js", "round < gone.rejoined", "round <= gone.rejoined", "returns a round late"),
    _checker(
        "season.js",
        "record.wins += 1;\n          record.points += scale.bye;",
        "record.points += scale.bye;",
        "a bye is no win",
    ),
    _checker(
        "season.js", "record.points += scale.bye;", "record.points += scale.win;", "a bye has the points of a win"
    ),
    _checker("season.js", "record.missed += 1;", "", "missed rounds don't lower the SoS of ohs"),
    _checker(
        "season.js", "points ? points[mine] : scale[outcome]", "scale[outcome]", "points of a decision don't count"
    ),
    _checker("season.js", "games[0] + games[1];", "games[0] + 2 * games[1];", "games of the second count twice"),
    _checker("season.js", "return entered <= this.n;", "return false;", "who enters late has lost nothing"),
    _checker("season.js", "gone.rejoined <= this.n", "gone.rejoined < this.n", "missed rounds count a round late"),
    _checker("season.js", '["played", "adjudicated"]', '["played"]', "a moderator's result changes no rating"),
    _checker(
        "season.js",
        "sigma * rating.sigma + sigma * sigma",
        "sigma * rating.sigma",
        "chances without the newcomer's doubt",
    ),
    _checker("season.js", "new Array(byes + missed)", "new Array(byes)", "missed rounds are left out of a mean"),
    _checker("season.js", "2 * beta * beta", "beta * beta", "chances of one player's performance alone"),
    _checker("ohs.js", "F.fewest(lossesOf(state)),", "", "the cut of ohs ignores losses"),
    _checker(
        "ohs.js",
        "Math.max(...among.map(lossesOf(state)))",
        "Math.min(...among.map(lossesOf(state)))",
        "byes of the best tier",
    ),
    _checker("ohs.js", "[1, 2].slice(0, count)", "[1]", "one past season too few is avoided"),
    _checker("ohs.js", "if (losses >= 2)\n", "if (losses >= 1)\n", "the tier of one loss by rating"),
    _checker("ohs.js", "schedule.push(pairedUp)", "schedule.unshift(pairedUp)", "who is paired up chooses first"),
    _checker(
        "ohs.js", ">= lossesOf(state)(name)).length", "> lossesOf(state)(name)).length", "the cut of ohs is too small"
    ),
    _checker("ohs.js", "Math.max(4, even)", "Math.max(3, even)", "three can play the finals of ohs"),
    _checker("ohs.js", "Math.floor(members.length / 2)", "Math.ceil(members.length / 2)", "the middle of an odd tier"),
    _checker("ohs.js", "then(other) < then(name)", "then(other) > then(name)", "paired down is paired up"),
    _checker("swiss.js", "[...own, ...floated.slice().reverse()]", "[...floated, ...own]", "who floated in floats on"),
    _checker("swiss.js", ".sort((a, b) => b - a)", ".sort((a, b) => a - b)", "the lowest group is first"),
    _checker("swiss.js", ", F.highest(share)]", "]", "Lightseekers without the share of games"),
    _checker("swiss.js", "among.at(-1)", "among[0]", "the best has the bye"),
    _checker(
        "swiss.js",
        "Math.min(...among.map(winsOf(state)))",
        "Math.max(...among.map(winsOf(state)))",
        "byes to the most wins",
    ),
    _checker(
        "two_loss_out.js", "2 * undefeated.length <= cut ?", "2 * undefeated.length < cut ?", "early by half, not below"
    ),
    _checker("two_loss_out.js", "cut === null ? 8", "cut === null ? 4", "four in the finals by default"),
    _checker(
        "two_loss_out.js", "rest.length < 2 * slots", "rest.length <= 2 * slots", "the run-offs end a round early"
    ),
    _checker("two_loss_out.js", "none.filter((name) => losses(name) === most)", "none", "byes of every pool"),
    _checker(
        "two_loss_out.js", "members.some((other)", "members.every((other)", "who is paired up has met nobody there"
    ),
    _checker("two_loss_out.js", "ties.length >= 2", "ties.length >= 1", "one tie-break round at most"),
    _checker(
        "two_loss_out.js",
        "state.rounds.filter((round) => round.byes.includes(name)).length",
        "state.records.get(name).byes",
        "byes of tie-break rounds are forgotten",
    ),
    _checker("bracket.js", "entered < first &&", "entered <= first &&", "who comes for the finals is in them"),
    _checker("bracket.js", ".slice(0, i).reverse()", ".slice(0, i)", "rematches are avoided from the other end"),
    _checker(
        "bracket.js",
        "[places[i], places[places.length - 1 - i]]",
        "[places[i], places[i + half]]",
        "the best meets the middle",
    ),
    _checker("single_elimination.js", ".sort()[0]", ".sort().at(-1)", "matches are numbered by the greater draw"),
    _checker("single_elimination.js", "seed(a) - seed(b)", "seed(b) - seed(a)", "the worst seed is the best"),
    _checker("standings.js", "share(points, rounds)", "share(points, rounds + 1)", "SoS over a round too many"),
    _checker("standings.js", "share(2 * wins(opponents)", "share(wins(opponents)", "OWR isn't doubled"),
    _checker("standings.js", "share(...games)", "share(games[0], games[0] + games[1])", "a share of the wrong whole"),
    _checker(
        "standings.js",
        "a.afterRound - b.afterRound)) {",
        "b.afterRound - a.afterRound)) {",
        "the oldest order counts",
    ),
    _checker("ratings.js", " + scale.tau * scale.tau", "", "ratings without tau"),
    _checker("ratings.js", "mu - 3 * sigma", "mu - 2 * sigma", "ranking by mu - 2 sigma"),
    _checker("ratings.js", "1.00002368", "1.00002868", "a digit of a published polynomial"),
    _checker("lists.js", "place > numbers(b).weaker", "place >= numbers(b).weaker", "one less can refuse"),
    _checker(
        "lists.js",
        "...undone.flat().filter((b) => allowed(a, b)),",
        "...undone.flat().reverse().filter((b) => allowed(a, b)),",
        "of the pairs that were broken up the last is tried first",
    ),
    _checker(
        "lists.js", "free.slice(free.length / 2)", "free.slice(free.length / 2 - 1)", "the lower half has one more"
    ),
    _checker("shared.js", "[8, 3, 0]", "[9, 3, 0]", "nine players have no finals"),
    _checker(
        "answers.js",
        "season.rounds.slice(0, n - 1)) {",
        "season.rounds.slice(0, n - 2)) {",
        "the last dice-offs don't count",
    ),
    _checker(
        "judging.js",
        r"`${found.at(-1)}\n${canonical(facts)}`",
        "`${found.at(-1)}${canonical(facts)}`",
        "fingerprints are joined otherwise",
    ),
    _checker("judging.js", r"`${secret}\n${text}`", r"`${text}\n${secret}`", "the secret stands after the names"),
    _checker(
        "ohs.js", "among = among.filter(", "among = names.filter(", "who lost most has a second bye before others"
    ),
    _checker("two_loss_out.js", "limit === 2 && n > 1 ?", "false ?", "rematches that another bye or pair-up avoids"),
    _checker(
        "two_loss_out.js", "if (!best ||", "if (!best || forbidden === best.forbidden ||", "the last of the best byes"
    ),
    _checker(
        "two_loss_out.js",
        'season.byDraw(lower, n, "pair-up") : [null]',
        'season.byDraw(lower, n, "pair-up").slice(0, 1) : [null]',
        "rematches that another pair-up avoids",
    ),
    _checker("two_loss_out.js", "there.filter((name) => !after.gone(name))", "there", "who left plays a round again"),
    _checker("two_loss_out.js", "if (other) [two[1]", "if (false) [two[1]", "undefeated meet in the semi-finals"),
    _checker("two_loss_out.js", "found.slice(i + 1).find(beaten) ??", "", "the nearest match above comes first"),
    _checker(
        "two_loss_out.js",
        "pools(season.before(n), names);\n      if (again)",
        "pools(season.before(n), names ?? F.candidates(season, n));\n      if (again)",
        "who comes for a round doesn't count when a run-off is asked for",
    ),
    _checker(
        "bracket.js",
        "season.bracket ? { slots: season.bracket } : format.slots(season, first)",
        "format.slots(season, first)",
        "a bracket is drawn again when a player is forgotten",
    ),
    _checker(
        "bracket.js",
        "const names = bySlot({ players });",
        "const names = bySlot({ players }).reverse();",
        "a match changed by hand stands where its lower player stood",
    ),
    _checker("season.js", 'kind !== "forfeit" ||', 'kind !== "never" ||', "a win by forfeit has no game wins"),
    _checker(
        "season.js", 'season, "best_of") + 1) / 2', 'season, "best_of") + 1)', "a forfeit is more games than a match"
    ),
    _checker("season.js", "name === winner ? needed : 0", "needed", "who forfeits has game wins"),
    _checker(
        "standings.js",
        "equals.length === order.length && ",
        "",
        "an order of more than a group of equals counts",
    ),
    _checker(
        "standings.js",
        "equals.every((name) => order.includes(name))",
        "true",
        "an order of as many as are equal counts",
    ),
    _checker("standings.js", "found.set(equals[0], decision)", "found.set(0, decision)", "only one order counts"),
    _checker("swiss.js", "Math.min(cut, season.fieldAtStart)", "cut", "a cut above the entrants at the start"),
    _checker("judging.js", "...(score ? { score } : {}),", "", "fingerprints without scores"),
    _checker("league_file.js", 'if (kind !== "played") return;', "", "a forfeit is refused where its winner had less"),
)
