/* The two Swiss formats: groups of equals, floats, byes and standings of KeyForge and Lightseekers. */
((F) => {
  "use strict";

  const { add, because, fromTable, players, rule, told, winsOf, withFewestByes } = F.shared;

  /* Groups of equals from the top, each paired without a forbidden pair where that is possible. */
  function byGroups(state, names, levelOf, met) {
    const { season, n } = state;
    const allowed = rule(state, met);
    const levels = [...new Set(names.map(levelOf))].sort((a, b) => b - a);
    const groups = levels.map((level) =>
      season.byDraw(
        names.filter((name) => levelOf(name) === level),
        n,
        "order",
      ),
    );
    const done = []; // lists that are paired, each with who floated into it
    let floated = [];
    let i = 0;
    while (i < groups.length) {
      let list = [...floated, ...groups[i]];
      i += 1;
      let split = divide(list, floated, allowed);
      while (!split && i < groups.length) {
        list = [...list, ...groups[i]];
        i += 1;
        split = divide(list, floated, allowed);
      }
      while (!split && done.length) {
        const above = done.pop();
        list = [...above.list, ...list.filter((name) => !above.list.includes(name))];
        floated = above.floated;
        split = divide(list, floated, allowed);
      }
      if (!split) split = { list, floats: [] };
      done.push({ list, floated, paired: split.list, floats: split.floats });
      floated = split.floats;
    }
    return add(
      done.map(({ paired, floated: joined, floats }, k) =>
        told(F.pairList(paired, allowed), `group ${k + 1}`, because(state), { joined, floats }),
      ),
    );
  }

  /* A list without the one who floats down where it is odd; null where it has no pairing without a forbidden pair. */
  function divide(list, floated, allowed) {
    if (list.length % 2 === 0) return F.fewestForbidden(list, allowed) === 0 ? { list, floats: [] } : null;
    const own = list.filter((name) => !floated.includes(name)).reverse();
    for (const name of [...own, ...floated.slice().reverse()]) {
      const others = list.filter((other) => other !== name);
      if (F.fewestForbidden(others, allowed) === 0) return { list: others, floats: [name] };
    }
    return null;
  }

  function swiss({ least, levelOf, order, tiebreaks, toBye, ...others }) {
    const format = {
      ...others,
      wouldPlay: () => true,
      order,
      tiebreaks,
      rounds: (season) => season.settings.rounds ?? fromTable(season.fieldAtStart).rounds,
      isOver: (season, n) => n > format.rounds(season),
      cutSize(season) {
        const cut = season.settings.cut ?? fromTable(season.fieldAtStart).cut;
        return Math.min(cut, season.fieldAtStart);
      },
      regular(state) {
        const { season, n } = state;
        if (season.fieldAtStart < least)
          throw new F.Impossible(`At least ${least} players are needed; single elimination needs only 2.`);
        let names = players(state);
        const byes = [];
        const settled = [];
        if (names.length % 2) {
          const found = n === 1 ? { among: withFewestByes(state, names), by: "draw" } : toBye(state, names);
          settled.push({ purpose: "bye", ...found });
          byes.push(found.chosen ?? season.smallest(found.among, n, "bye"));
          names = names.filter((name) => name !== byes[0]);
        }
        const met = (a, b) => state.met(a, b, ["regular"]);
        if (n > 1) return { byes, settled, ...byGroups(state, names, levelOf(state), met) };
        const list = season.byDraw(names, n, "order");
        return { byes, settled, ...told(F.pairList(list, rule(state, met)), "the order of the draw", because(state)) };
      },
      slots(season, first) {
        const state = season.before(first);
        const seeds = order(state, F.candidates(season, first), first - 1).slice(0, format.cutSize(season));
        return { slots: F.standardSlots(seeds) };
      },
    };
    return format;
  }

  const keyforge = swiss({
    least: 2,
    levelOf: (state) => (name) => state.records.get(name).points,
    tiebreaks: F.keyforge,
    order(state, names, drawRound) {
      const { strength_of_schedule: strength, extended_strength_of_schedule: extended } = F.keyforge(state);
      return state.sort(
        names,
        drawRound,
        F.most((name) => state.records.get(name).points),
        F.highest(strength),
        F.highest(extended),
      );
    },
    toBye(state, names) {
      const among = keyforge.order(state, withFewestByes(state, names), state.n - 1);
      return { among, chosen: among.at(-1), by: "standings" };
    },
  });

  const lightseekers = swiss({
    least: 5,
    levelOf: winsOf,
    tiebreaks: F.lightseekers,
    comparisons(state) {
      const { beaten_opponents_wins: beaten, game_wins: games, game_win_percentage: share } = F.lightseekers(state);
      return [F.most(winsOf(state)), F.highest(beaten), F.highest(games), F.highest(share)];
    },
    order(state, names, drawRound) {
      const compare = lightseekers.comparisons(state);
      return state.sort(names, drawRound, ...compare, F.decided(state, compare));
    },
    toBye(state, names) {
      const among = withFewestByes(state, names);
      const fewest = Math.min(...among.map(winsOf(state)));
      return { among: among.filter((name) => winsOf(state)(name) === fewest), by: "draw" };
    },
  });

  F.formats["keyforge-swiss"] = keyforge;
  F.formats["lightseekers-swiss"] = lightseekers;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
