/* Playstile 2LO: pools, run-off rounds, tie-break rounds for the last places, and who is in the finals. */
((F) => {
  "use strict";

  const { add, because, lossesOf, players, rule, told, withFewestByes } = F.shared;

  const twoLossOut = {
    /* What is true of the pools before round n: who is in, who is through already, slots for the others. */
    pools(state, names = state.present) {
      const { season, n } = state;
      const limit = season.settings.losses;
      const cut = twoLossOut.cutSize(season);
      const again = playedAgain(season, n);
      const spared = again.spared;
      const losses = (name) => lossesOf(state)(name) - (spared.get(name) ?? 0);
      const alive = names.filter((name) => losses(name) < limit);
      const undefeated = alive.filter((name) => losses(name) === 0);
      const through = n > 1 && cut > 1 && limit > 1 && 2 * undefeated.length <= cut ? undefeated : [];
      const rest = alive.filter((name) => !through.includes(name));
      return { losses, alive, through, rest, slots: cut - through.length, again: again.next, undefeated, cut, limit };
    },

    cutSize(season) {
      const wanted = season.settings.cut === null ? 8 : Math.max(1, season.settings.cut);
      return Math.min(wanted, season.fieldAtStart);
    },

    wouldPlay(state, name) {
      const { alive, through } = twoLossOut.pools(state);
      return alive.includes(name) && !through.includes(name);
    },

    isOver(season, n, names) {
      if (n === 1) return false;
      if (tieRounds(season, n).length) return true; // whatever was corrected since
      const { undefeated, cut, limit, through, rest, slots, again } = twoLossOut.pools(season.before(n), names);
      if (again) return false;
      const early = cut > 1 && limit > 1;
      if (early && 2 * undefeated.length > cut) return false;
      return rest.length < 2 * slots || (rest.length < 2 && !through.length);
    },

    regular(state) {
      const { season, n } = state;
      const { losses, rest, again, limit } = twoLossOut.pools(state);
      const allowed = rule(state, (a, b) => state.met(a, b));
      const there = new Set(state.playing);
      const playing = (names) => names.filter((name) => there.has(name));
      if (again) return playAgain(state, again, playing(again), allowed);
      let names = players(state, playing(rest));
      const byes = [];
      const settled = [];
      const among = names.length % 2 ? toBye(state, names, losses) : [];
      const fewest = limit === 2 && n > 1 ? fewestAgain(state, names, among, losses, allowed) : null;
      if (among.length) {
        const chosen = fewest ? fewest.bye : season.smallest(among, n, "bye");
        settled.push({ purpose: "bye", chosen, among, by: "draw" });
        byes.push(chosen);
        names = names.filter((name) => name !== chosen);
      }
      const pools = new Map();
      for (const name of names) pools.set(losses(name), [...(pools.get(losses(name)) || []), name]);
      const levels = limit === 1 ? [0] : [...pools.keys()].sort((a, b) => a - b);
      const parts = levels.map((level, i) => {
        const members = pools.get(level);
        const joined = [];
        if (members.length % 2) {
          const below = levels.slice(i + 1).find((lower) => pools.get(lower).length);
          const open = pools.get(below).filter((name) => members.some((other) => allowed(name, other)));
          const able = fewest || !open.length ? pools.get(below) : open;
          const joining = fewest ? fewest.joining : season.smallest(able, n, "pair-up");
          settled.push({ purpose: "pair-up", chosen: joining, among: able, by: "draw" });
          joined.push(joining);
          members.push(joining);
          pools.set(
            below,
            pools.get(below).filter((name) => name !== joining),
          );
        }
        const where = level ? `the pool with ${level} ${level === 1 ? "loss" : "losses"}` : "the undefeated pool";
        return told(F.pairList(season.byDraw(members, n, "order"), allowed), where, because(state), { joined });
      });
      return { byes, settled, ...add(parts) };
    },

    tiebreaks: (state) => F.twoLossOut(state),

    /* Those who are through and the others in the order in which they fill the slots, with the groups that are equal. */
    line(season, n, names) {
      const state = season.before(n);
      const found = twoLossOut.pools(state, names);
      const firstTie = season.rounds.findIndex(({ stage }) => stage === "tiebreak");
      const at = firstTie >= 0 && firstTie < n - 1 ? firstTie + 1 : n;
      const strength = F.twoLossOut(season.before(at)).strength_of_schedule;
      const ties = tieRounds(season, n);
      const compare = [F.fewest(found.losses), F.highest(strength), F.fewest(twoLossOut.lostTies(season, n))];
      const equal = (a, b) => compare.every((one) => one(a, b) === 0);
      const sorted = (names) => state.sort(names, n - 1, ...compare);
      return { ...found, state, sorted, equal, ties };
    },

    /* The tie-break rounds somebody lost, as text that sorts: who won or had the bye stands above. */
    lostTies: (season, n) => (name) =>
      tieRounds(season, n)
        .map(({ matches }) =>
          matches.some(({ players: two, kind, winner }) => two.includes(name) && kind !== "open" && winner !== name)
            ? 1
            : 0,
        )
        .join(""),

    /* The equals between which the line falls, if a tie-break round is to be played. */
    tied(season, n, asked) {
      const candidates = F.candidates(season, n);
      // what was decided when the last round ended stays so where nobody replaces those who left since
      const kept = !asked && !season.settings.replace && wasOver(season, n, candidates);
      if (kept && !twoLossOut.tied(season, n, candidates)) return null;
      const names = asked ?? candidates.filter((name) => !season.isGone(name, n));
      const { rest, slots, sorted, equal, ties } = twoLossOut.line(season, n, names);
      if (rest.length <= slots || slots < 1 || ties.length >= 2) return null;
      const order = sorted(rest);
      if (!equal(order[slots - 1], order[slots])) return null;
      return order.filter((name) => equal(name, order[slots]));
    },

    tiebreakRound(season, n, tied) {
      const state = season.before(n);
      let names = season.byDraw(tied, n, "order");
      const byes = [];
      const settled = [];
      if (names.length % 2) {
        // a bye of an earlier tie-break round is a bye, too
        const had = (name) => state.rounds.filter((round) => round.byes.includes(name)).length;
        const fewest = Math.min(...names.map(had));
        settled.push({ purpose: "bye", among: names.filter((name) => had(name) === fewest), by: "draw" });
        byes.push(season.smallest(settled[0].among, n, "bye"));
        names = names.filter((name) => name !== byes[0]);
      }
      const round = told(
        F.pairList(names, () => true),
        "the tie-break for the last places in the finals",
        () => "",
      );
      return { byes, settled, ...round };
    },

    slots(season, first) {
      const { through, rest, slots, sorted } = twoLossOut.line(season, first, inTheCut(season, first));
      const seeds = [...sorted(through), ...sorted(rest).slice(0, Math.max(0, slots))];
      return { slots: F.standardSlots(seeds) };
    },

    swaps: "because undefeated players meet players with a loss where that's possible",

    /* From the top, a match of two undefeated takes the lower player of the nearest match of two who aren't. */
    rearranged(season, first, _n, matches, slot) {
      const losses = lossesOf(season.before(first));
      const found = matches.map((two) => two.slice());
      const beaten = (two) => two.every((name) => losses(name) > 0);
      found.forEach((two, i) => {
        if (two.some((name) => losses(name) > 0)) return;
        const other = found.slice(i + 1).find(beaten) ?? found.slice(0, i).reverse().find(beaten);
        if (other) [two[1], other[1]] = [other[1], two[1]];
      });
      return { matches: found.map((two) => two.sort(F.bySlotOf(slot))), rematches: 0 };
    },
  };

  /* Those among whom the bye is drawn: who has lost most of those without one, or who has the fewest. */
  function toBye(state, names, losses) {
    if (state.n === 1) return names;
    const none = names.filter((name) => state.records.get(name).byes === 0);
    const most = Math.max(...none.map(losses));
    return none.length ? none.filter((name) => losses(name) === most) : withFewestByes(state, names);
  }

  /*
   * The bye, of those `among` whom it is drawn, and who joins the undefeated where they are odd: the first by their draws,
   * the bye's first, with whom both pools together have the fewest forbidden pairs.
   */
  function fewestAgain(state, names, among, losses, allowed) {
    const { season, n } = state;
    let best = null;
    for (const bye of among.length ? season.byDraw(among, n, "bye") : [null]) {
      const others = names.filter((name) => name !== bye);
      const [upper, lower] = [true, false].map((unbeaten) =>
        others.filter((name) => (losses(name) === 0) === unbeaten),
      );
      for (const joining of upper.length % 2 ? season.byDraw(lower, n, "pair-up") : [null]) {
        const pools =
          joining === null ? [upper, lower] : [[...upper, joining], lower.filter((name) => name !== joining)];
        const forbidden = pools.reduce((total, pool) => total + F.fewestForbidden(pool, allowed), 0);
        if (!best || forbidden < best.forbidden) best = { bye, joining, forbidden };
        if (!forbidden) return best;
      }
    }
    return best;
  }

  /* The round that is played again by `two`, of whom `able` don't sit it out. */
  function playAgain(state, two, able, allowed) {
    const { season, n } = state;
    const out = two.filter((name) => !able.includes(name));
    if (out.length)
      throw new F.Impossible(
        `Round ${n - 1} is played again by ${two.join(" and ")}: ${out.join(" and ")} must take back that they sit out.`,
      );
    const settled = [{ purpose: "again", among: two, by: "schedule" }];
    const round = told(
      F.pairList(season.byDraw(two, n, "order"), allowed),
      "the round that is played again",
      because(state),
    );
    return { byes: [], settled, ...round };
  }

  /* Who can be in the cut: who left since only where it was decided when the last round ended. */
  function inTheCut(season, first) {
    const names = F.candidates(season, first);
    const decided = wasOver(season, first, names) && !twoLossOut.tied(season, first, names);
    return decided ? names : names.filter((name) => !season.isGone(name, first));
  }

  /* Whether the run-offs were over when the last round ended: who left since is counted, and so is who comes now. */
  function wasOver(season, n, candidates) {
    const coming = season.before(n).present.filter((name) => !candidates.includes(name));
    return twoLossOut.isOver(season, n, [...candidates, ...coming]);
  }

  const tieRounds = (season, n) => season.rounds.slice(0, n - 1).filter(({ stage }) => stage === "tiebreak");

  /*
   * Rounds after which nobody of those in it was left: played again by the two of its matches with the best strength of
   * schedule who are still here then; where only one is, they are the only one left.
   */
  function playedAgain(season, n) {
    const spared = new Map();
    let next = null;
    const limit = season.settings.losses;
    for (let r = 1; r < n; r += 1) {
      const round = season.rounds[r - 1];
      if (round.stage !== "regular") break;
      const then = season.before(r);
      const after = season.before(r + 1);
      const losses = (state) => (name) => lossesOf(state)(name) - (spared.get(name) ?? 0);
      const there = then.present.filter((name) => losses(then)(name) < limit);
      next = null;
      if (there.some((name) => losses(after)(name) < limit)) continue;
      const here = there.filter((name) => !after.gone(name));
      const matched = here.filter((name) => round.matches.some(({ players }) => players.includes(name)));
      const strength = F.twoLossOut(after).strength_of_schedule;
      next = after.sort(matched, r, F.highest(strength)).slice(0, 2);
      for (const name of next) spared.set(name, lossesOf(after)(name) - limit + 1);
    }
    return { spared, next };
  }

  F.formats["two-loss-out"] = twoLossOut;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
