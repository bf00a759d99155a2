/* Online HeroScape: tiers by losses, pair-ups, and a bracket of re-seeded layers. */
((F) => {
  "use strict";

  const { add, because, lossesOf, players, rule, told, winsOf, withFewestByes } = F.shared;

  const ohs = {
    wouldPlay: () => true,

    rounds: ({ settings }) => settings.rounds ?? 4,

    order(state, names, drawRound) {
      const exposures = new Map(names.map((name) => [name, F.exposure(state.ratings.get(name))]));
      const strength = new Map(names.map((name) => [name, F.nano(state.ohsStrength.get(name))]));
      return state.sort(
        names,
        drawRound,
        F.most(winsOf(state)),
        F.fewest(lossesOf(state)),
        F.most((name) => strength.get(name)),
        F.most((name) => exposures.get(name)),
      );
    },

    tiebreaks: F.ohsTiebreaks,

    /* By strength of schedule, then ranking. */
    bySchedule(state, names) {
      const strength = new Map(names.map((name) => [name, F.nano(state.ohsStrength.get(name))]));
      const exposures = new Map(names.map((name) => [name, F.exposure(state.ratings.get(name))]));
      return state.sort(
        names,
        state.n,
        F.most((name) => strength.get(name)),
        F.most((name) => exposures.get(name)),
      );
    },

    regular(state) {
      const { season, n } = state;
      let names = players(state);
      const byes = [];
      const settled = [];
      if (names.length % 2) {
        let among = withFewestByes(state, names);
        const most = Math.max(...among.map(lossesOf(state)));
        if (season.settings.bye_among === "lowest") among = among.filter((name) => lossesOf(state)(name) === most);
        settled.push({ purpose: "bye", among, by: "draw" });
        byes.push(season.smallest(settled[0].among, n, "bye"));
        names = names.filter((name) => name !== byes[0]);
      }
      const past = (count) => season.metBefore([1, 2].slice(0, count).map((back) => season.number - back));
      const metIn = (seasons) => (a, b) =>
        state.met(a, b) || seasons.has(F.pairKey(season.person(a, n), season.person(b, n)));
      const two = rule(state, metIn(past(2)));
      if (n === 1) {
        const round = told(F.pairList(season.byDraw(names, n, "order"), two), "the order of the draw", because(state));
        return { byes, settled, ...round };
      }
      const close = rule(state, n === 2 ? metIn(past(1)) : (a, b) => state.met(a, b));
      const parts = tiers(state, names, settled).map(({ losses, members, pairedUp }) => {
        const where = `the tier with ${losses} ${losses === 1 ? "loss" : "losses"}`;
        const joined = pairedUp ? [pairedUp] : [];
        if (losses >= 2)
          return told(F.pairList(state.ranking(members, n), two), where, because(state), { by: "rating", joined });
        const schedule = ohs.bySchedule(
          state,
          members.filter((name) => name !== pairedUp),
        );
        if (pairedUp) schedule.push(pairedUp);
        return told(F.pairTier(schedule, state.ranking(members, n), close), where, because(state), {
          by: "schedule",
          joined,
        });
      });
      return { byes, settled, ...add(parts) };
    },

    slots(season, first) {
      const state = season.before(first);
      const seeds = ohs.cut(season, first);
      const allowed = rule(state, (a, b) => state.met(a, b));
      const ranking = state.ranking(seeds, first - 1);
      return F.reseeded(seeds, ranking, allowed);
    },

    cut(season, first) {
      const state = season.before(first);
      const order = ohs.order(state, F.candidates(season, first), first - 1);
      const { cut } = season.settings;
      if (cut !== null) return order.slice(0, Math.min(cut, season.fieldAtStart));
      const even = order.filter((name) => winsOf(state)(name) >= lossesOf(state)(name)).length;
      return order.slice(0, Math.min(Math.max(4, even), season.fieldAtStart));
    },

    listsBySlot: true,

    swaps: "because the bracket alone would have let people meet again this season",

    rearranged(season, first, n, matches, slot) {
      const state = season.before(n);
      const allowed = rule(state, (a, b) => state.met(a, b));
      const listed = F.listedBySlot(matches, slot);
      const found = n === first ? listed : F.listedBySlot(F.avoidRematches(listed, allowed), slot);
      return { matches: found, rematches: found.filter(([a, b]) => !allowed(a, b)).length };
    },

    isOver: (season, n) => n > ohs.rounds(season),
  };

  /* OHS's tiers from the top, each even: who was taken from the tier below is named. */
  function tiers(state, names, settled) {
    const tier = new Map();
    for (const name of names) {
      const losses = lossesOf(state)(name);
      tier.set(losses, [...(tier.get(losses) || []), name]);
    }
    const levels = [...tier.keys()].sort((a, b) => a - b);
    return levels.flatMap((losses, i) => {
      const members = tier.get(losses);
      let pairedUp = null;
      if (members.length % 2) {
        const below = levels.slice(i + 1).find((level) => tier.get(level).length);
        const found = toPairUp(state, below, tier.get(below));
        pairedUp = found.chosen;
        settled.push(found);
        members.push(pairedUp);
        tier.set(
          below,
          tier.get(below).filter((name) => name !== pairedUp),
        );
      }
      return members.length ? [{ losses, members, pairedUp }] : [];
    });
  }

  function toPairUp(state, losses, members) {
    const { season, n } = state;
    const fresh = (names) => names.filter((name) => !wasPairedUp(state, name));
    if (losses >= 2) {
      const ranked = state.ranking(members, n);
      const among = fresh(ranked).length ? fresh(ranked) : ranked;
      return { purpose: "pair-up", chosen: among[0], among, by: "rating", again: !fresh(ranked).length };
    }
    const lower = ohs.bySchedule(state, members).slice(Math.floor(members.length / 2));
    const among = [fresh(lower), fresh(members), members].find(({ length }) => length);
    return { purpose: "pair-up", chosen: season.smallest(among, n, "pair-up"), among, by: "draw" };
  }

  /* Whether they played, in an earlier round of the season, somebody who then had fewer losses. */
  function wasPairedUp(state, name) {
    return state.rounds.some(({ number, matches }) => {
      const match = matches.find(({ players }) => players.includes(name));
      if (!match) return false;
      const then = lossesOf(state.season.before(number));
      const other = match.players.find((player) => player !== name);
      return then(other) < then(name);
    });
  }

  F.formats.ohs = ohs;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
