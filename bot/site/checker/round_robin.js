/* Round robin: groups, FIDE's tables, who is struck, the table of a group, everybody's order, finals across groups, the ladder. */
((F) => {
  "use strict";

  const LEAST = 3; // entrants at the start
  const MOST_ROUNDS = 50;
  const MOST_IN_FINALS = 64;
  const ZERO = new F.Fraction(0);
  const HALF = new F.Fraction(1, 2);

  const isDivided = ({ settings }) => settings.grouping === "divisions";

  /* The groups, each a list of names in the order of their numbers; once for each season. */
  function groups(season) {
    if (!season.madeGroups) season.madeGroups = season.groups ?? made(season);
    return season.madeGroups;
  }

  function made(season) {
    const state = season.before(1);
    const names = state.present;
    const { group_size: size, grouping } = season.settings;
    if (grouping === "given") {
      const count = Math.max(...names.map((name) => season.players.get(name).group));
      return Array.from({ length: count }, (_, i) =>
        numbered(
          season,
          names.filter((name) => season.players.get(name).group === i + 1),
        ),
      );
    }
    const count = size === null ? 1 : Math.ceil(names.length / size);
    if (grouping === "rating") return dealt(state.ranking(names, 0), count).map((members) => numbered(season, members));
    const listed = grouping === "drawn" ? season.byDraw(names, 1, "order") : byLadder(season, state);
    const sizes = Array.from(
      { length: count },
      (_, i) => Math.floor(names.length / count) + (i < names.length % count ? 1 : 0),
    );
    return sizes.map((length) => numbered(season, listed.splice(0, length)));
  }

  const numbered = (season, names) => season.byDraw(names, 1, "order");

  /* Row after row over the groups and back again; the last row from group 1 where it isn't full. */
  function dealt(names, count) {
    const found = Array.from({ length: count }, () => []);
    for (let start = 0, row = 0; start < names.length; start += count, row += 1) {
      const part = names.slice(start, start + count);
      const back = row % 2 === 1 && part.length === count;
      part.forEach((name, i) => found[back ? count - 1 - i : i].push(name));
    }
    return found;
  }

  function byLadder(season, state) {
    const above = season.ladder.filter((name) => state.present.includes(name));
    return [
      ...above,
      ...state.ranking(
        state.present.filter((name) => !above.includes(name)),
        0,
      ),
    ];
  }

  /* How divisions were filled: who is in the ladder, everyone else in their order, and how many each takes. */
  function divisionSteps(season) {
    if (season.format !== "round-robin" || !isDivided(season) || season.groups || groups(season).length < 2)
      return null;
    const state = season.before(1);
    const listed = byLadder(season, state);
    const above = listed.filter((name) => season.ladder.includes(name));
    return { above, below: listed.slice(above.length), sizes: groups(season).map((members) => members.length) };
  }

  const evenSize = (members) => members.length + (members.length % 2);

  /* The rounds of a group, and of the season: those of its largest group. */
  const roundsOf = (season, members) => season.settings.meetings * (evenSize(members) - 1);
  const rounds = (season) => Math.max(...groups(season).map((members) => roundsOf(season, members)));

  /* Who meets in round t of a group of N, by numbers, the upper player first (FIDE Handbook C.05, the annex' tables). */
  function tableOf(size, t) {
    const around = (number) => ((number - 1 + 2 * (size - 1)) % (size - 1)) + 1;
    const pivot = t % 2 ? (t + 1) / 2 : size / 2 + t / 2;
    const found = [t % 2 ? [pivot, size] : [size, pivot]];
    for (let i = 1; i < size / 2; i += 1) found.push([around(pivot + i), around(pivot - i)]);
    return found;
  }

  /* The matches of a group in a round of the season: [[upper, lower], their numbers]. */
  function matchesOf(season, members, round) {
    if (round > roundsOf(season, members)) return [];
    const size = evenSize(members);
    const again = round > size - 1;
    return tableOf(size, again ? round - size + 1 : round)
      .map((numbers) => (again ? numbers.reverse() : numbers))
      .filter((numbers) => numbers.every((number) => number <= members.length))
      .map((numbers) => ({ numbers, players: numbers.map((number) => members[number - 1]) }));
  }

  /* Group A, B, ..., Z, 27, 28, ... */
  const letter = (i) => (i < 26 ? String.fromCharCode(65 + i) : String(i + 1));

  function regular({ season, n }) {
    const tables = groups(season).map((members, i) => ({
      where: isDivided(season) ? `division ${i + 1}` : `group ${letter(i)}`,
      members,
      matches: matchesOf(season, members, n),
    }));
    const matches = tables.flatMap(({ where, matches: two }) =>
      two.map(({ players, numbers }) => ({
        players,
        why: [
          `Round ${n} of ${where}: the table says ${numbers[0]} meets ${numbers[1]}. ${players[0]} is number ${numbers[0]}, ${players[1]} number ${numbers[1]}, by the draw.`,
        ],
      })),
    );
    return { byes: [], settled: [], tables, matches, rematches: 0 };
  }

  const isRegular = ({ stage }) => stage === "regular";

  /* Who left while the regular stage ran, having played fewer than half of their matches. */
  function struck(season) {
    if (!season.struck) {
      const last = rounds(season);
      const leavers = new Set(season.departures.filter(({ round }) => round <= last).map(({ name }) => name));
      const played = new Map();
      for (const { matches } of season.rounds.filter(isRegular)) {
        for (const { players, kind } of matches) {
          if (kind === "played" || kind === "adjudicated")
            for (const name of players) played.set(name, (played.get(name) ?? 0) + 1);
        }
      }
      season.struck = new Set();
      for (const members of groups(season)) {
        const all = season.settings.meetings * (members.length - 1);
        for (const name of members) if (leavers.has(name) && 2 * (played.get(name) ?? 0) < all) season.struck.add(name);
      }
    }
    return season.struck;
  }

  /* The counted matches of everybody, each from their side. */
  function results(state) {
    if (!state.results) {
      const { season } = state;
      const out = struck(season);
      const { points: scale, scores } = season.settings;
      state.results = new Map(state.names.map((name) => [name, []]));
      for (const { matches } of state.rounds.filter(isRegular)) {
        for (const { players, winner, kind, points, games, score } of matches) {
          if (kind === "open" || players.some((name) => out.has(name))) continue;
          const numbers = (scores ? score : games) ?? [0, 0];
          players.forEach((name, side) => {
            const outcome = winner === "draw" ? "draw" : winner === name ? "win" : "loss";
            const other = players[1 - side];
            const worth = points ? points[side] : scale[outcome];
            state.results
              .get(name)
              ?.push({ other, outcome, points: worth, own: numbers[side], others: numbers[1 - side] });
          });
        }
      }
    }
    return state.results;
  }

  const total = (rows, value) => rows.reduce((sum, row) => sum + value(row), 0);
  const pointsOf = (state) => (name) => total(results(state).get(name), ({ points }) => points);

  /* What stands in a row of the table besides the tie-breaks. */
  function record(state, name) {
    const rows = results(state).get(name);
    const count = (outcome) => rows.filter((row) => row.outcome === outcome).length;
    return { wins: count("win"), losses: count("loss"), draws: count("draw"), points: pointsOf(state)(name) };
  }

  /* The values of each tie-break, by which the higher one stands above; the direct encounter needs to know among whom. */
  const VALUES = {
    difference: (state, name) => new F.Fraction(total(results(state).get(name), ({ own, others }) => own - others)),
    scored: (state, name) => new F.Fraction(total(results(state).get(name), ({ own }) => own)),
    wins: (state, name) =>
      new F.Fraction(total(results(state).get(name), ({ outcome }) => (outcome === "win" ? 1 : 0))),
    "sonneborn-berger": (state, name) =>
      results(state)
        .get(name)
        .reduce((sum, { other, outcome }) => {
          const points = new F.Fraction(pointsOf(state)(other));
          return outcome === "win" ? sum.plus(points) : outcome === "draw" ? sum.plus(points.times(HALF)) : sum;
        }, ZERO),
    "head-to-head": (state, name, among) =>
      new F.Fraction(
        total(
          results(state)
            .get(name)
            .filter(({ other }) => among.includes(other)),
          ({ points }) => points,
        ),
      ),
  };

  /* Equals of a table, best first, by the tie-breaks from `at` on. */
  function untied(state, names, at) {
    const keys = state.season.settings.tiebreaks;
    if (names.length < 2) return names;
    if (at === keys.length) return state.season.byDraw(names, 0, "tiebreak");
    const parts = apart(names, (name) => VALUES[keys[at]](state, name, names));
    if (parts.length === 1) return untied(state, names, at + 1);
    return parts.flatMap((part) => untied(state, part, keys[at] === "head-to-head" ? at : at + 1));
  }

  /* Names by equal values, the highest first. */
  function apart(names, worth) {
    const values = new Map(names.map((name) => [name, worth(name)]));
    const sorted = names.slice().sort((a, b) => values.get(b).compare(values.get(a)));
    const parts = [];
    for (const name of sorted) {
      const before = parts.at(-1);
      if (before && values.get(before[0]).compare(values.get(name)) === 0) before.push(name);
      else parts.push([name]);
    }
    return parts;
  }

  /* A group's table, best first; who is struck stands last. */
  function table(state, members) {
    const out = struck(state.season);
    const ranked = (names) =>
      apart(names, (name) => new F.Fraction(pointsOf(state)(name))).flatMap((part) => untied(state, part, 0));
    return [...ranked(members.filter((name) => !out.has(name))), ...ranked(members.filter((name) => out.has(name)))];
  }

  /* Everybody's place in their group: name to { group, rank }, both from 1. */
  function placesInGroups(state) {
    return new Map(
      groups(state.season).flatMap((members, i) =>
        table(state, members).map((name, at) => [name, { group: i + 1, rank: at + 1 }]),
      ),
    );
  }

  /* Everybody, best first, who left before the start last. */
  function order(state) {
    const { season } = state;
    const tables = groups(season).map((members) => table(state, members));
    const out = struck(season);
    const inGroups = new Set(tables.flat());
    const others = season.byDraw(
      state.names.filter((name) => !inGroups.has(name)),
      0,
      "tiebreak",
    );
    if (isDivided(season)) return [...tables.flat(), ...others];
    const place = new Map(tables.flatMap((names) => names.map((name, i) => [name, i])));
    const each = (value) => (name) => {
      const rows = results(state).get(name);
      return rows.length ? new F.Fraction(total(rows, value), rows.length) : ZERO;
    };
    const [points, difference] = [each((row) => row.points), each((row) => row.own - row.others)];
    const ordered = state.sort(
      [...inGroups],
      0,
      F.fewest((name) => (out.has(name) ? Infinity : place.get(name))),
      (a, b) => points(b).compare(points(a)),
      (a, b) => difference(b).compare(difference(a)),
    );
    return [...ordered, ...others];
  }

  /* How many places the finals have, whoever is left: 0 for none. */
  function finalists(season) {
    const { cut, through } = season.settings;
    const count = isDivided(season) ? 1 : groups(season).length;
    if (cut !== null) return cut;
    if (through !== null) return Math.min(MOST_IN_FINALS, through * count);
    return count > 1 ? Math.min(MOST_IN_FINALS, 2 * count) : 0;
  }

  /* The seeds of the finals: the best who are still here; with divisions those of division 1. */
  function seeds(season, first) {
    const state = season.before(first);
    const here = new Set(F.candidates(season, first));
    const able = isDivided(season) ? groups(season)[0] : state.names;
    return order(state)
      .filter((name) => here.has(name) && able.includes(name))
      .slice(0, finalists(season));
  }

  /* In the first round of the finals nobody meets somebody of their group where that can be avoided. */
  function rearranged(season, first, n, matches, slot) {
    if (n > first) return { matches, rematches: 0 };
    const group = new Map(groups(season).flatMap((members, i) => members.map((name) => [name, i])));
    const allowed = (a, b) => group.get(a) !== group.get(b);
    const listed = F.listedBySlot(matches, slot);
    return { matches: F.listedBySlot(F.avoidRematches(listed, allowed), slot), rematches: 0 };
  }

  /* Everybody who was in a group in the order of the next season's ladder; before the regular stage is over there is none. */
  function ladder(season) {
    if (season.format !== "round-robin") throw new F.Invalid("format: only a round robin has a ladder");
    const last = rounds(season);
    const played = season.rounds.filter(isRegular);
    const isOver = played.length >= last && played.every(({ matches }) => matches.every(({ kind }) => kind !== "open"));
    if (!isOver) throw new F.Impossible("The regular stage isn't over, so there is no ladder yet.");
    const state = season.before(last + 1);
    if (!isDivided(season)) {
      const inGroups = new Set(groups(season).flat());
      return order(state).filter((name) => inGroups.has(name));
    }
    const tables = groups(season).map((members) => table(state, members));
    const half = (names) => Math.floor(names.length / 2);
    const moving = tables.slice(1).map((below, i) => Math.min(season.settings.moves, half(tables[i]), half(below)));
    return tables.flatMap((names, i) => {
      const up = moving[i - 1] ?? 0;
      const down = moving[i] ?? 0;
      const comeDown = i ? tables[i - 1].slice(tables[i - 1].length - up) : [];
      const comeUp = i + 1 < tables.length ? tables[i + 1].slice(0, down) : [];
      return [...comeDown, ...names.slice(up, names.length - down), ...comeUp];
    });
  }

  /* Whether the season can be played: enough entrants, no group of one, few enough rounds, finals of two or more. */
  function check(season, wrong) {
    const { settings } = season;
    const names = season.before(1).present;
    if (names.length < LEAST) wrong("players", `a round robin needs at least ${LEAST} entrants at the start`);
    if (settings.grouping === "given" && !season.groups) checkGiven(season, names, wrong);
    if (rounds(season) > MOST_ROUNDS)
      wrong(
        "players",
        `there would be ${rounds(season)} rounds; at most ${MOST_ROUNDS} are possible: make more ${isDivided(season) ? "divisions" : "groups"}`,
      );
    const single = isDivided(season) || groups(season).length === 1;
    if (settings.through === 1 && single) wrong("settings", "through: the finals would have one player");
  }

  function checkGiven(season, names, wrong) {
    const sizes = new Map();
    for (const name of names) {
      const { group } = season.players.get(name);
      if (group === null) wrong("players", `${name} has no group`);
      sizes.set(group, (sizes.get(group) ?? 0) + 1);
    }
    for (let group = 1; group <= Math.max(...sizes.keys()); group += 1) {
      const size = sizes.get(group) ?? 0;
      if (size < 2)
        wrong("players", `group ${group} has ${size === 1 ? "one player" : "nobody"}; each has two or more`);
    }
  }

  /* What only a round robin has: its ladder, its groups after somebody was forgotten, and what it takes in no round. */
  function readRoundRobin(file, season) {
    season.ladder = file.at("ladder").or([], (list) => list.list().map((name) => name.name()));
    if (new Set(season.ladder).size < season.ladder.length) file.at("ladder").wrong("names somebody twice");
    season.ladderOf = file.at("ladder_of").or(null, (node) => node.hex());
    if (season.format !== "round-robin") {
      for (const key of ["ladder", "ladder_of", "groups"])
        if (file.has(key)) file.at(key).wrong("only a round robin has that");
      return;
    }
    season.groups = file.at("groups").or(null, (node) => readKeptGroups(node, season));
    for (const { entered, name } of season.players.values())
      if (entered > 1) file.at("players").wrong(`${name} enters late, which nobody does in a round robin`);
    for (const { rejoined } of season.departures)
      if (rejoined !== null) file.at("departures").wrong("nobody comes back in a round robin");
    season.rounds.forEach(({ stage, byes, byHand }, i) => {
      const node = file.at("rounds").list()[i];
      if (stage === "tiebreak") node.at("stage").wrong("a round robin has no tie-break rounds");
      if (stage !== "regular") return;
      if (byes.length) node.at("bye").wrong("nobody has a bye in a round robin: who has no match rests");
      if (byHand) node.at("by_hand").wrong("the regular rounds of a round robin are never changed by hand");
    });
    check(season, (key, what) => file.at(key).wrong(what));
    const last = rounds(season);
    const early = season.settings.schedule === "open" && season.substitutes.find(({ round }) => round <= last);
    if (early) file.at("substitutes").wrong(`${early.player} comes in round ${early.round}, while all rounds are open`);
  }

  function readKeptGroups(node, season) {
    if (!season.forgotten) node.wrong("stands only in a file with forgotten: true");
    const groups = node.list().map((group) => group.list().map((name) => season.entrant(name)));
    const inside = groups.flat();
    const there = season.before(1).present;
    const isWhole = inside.length === there.length && there.every((name) => inside.includes(name));
    if (!isWhole) node.wrong("must name everybody at the start once");
    return groups;
  }

  F.formats["round-robin"] = {
    wouldPlay: () => false, // nobody sits out
    order,
    record,
    regular,
    rearranged,
    rounds,
    finalists,
    placesInGroups,
    drawRound: 0,
    swaps: "because these two are of one group",
    isOver: (season, n) => n > rounds(season),
    tiebreaks: (state) => {
      const shown = { difference: "difference", scored: "scored", sonneborn_berger: "sonneborn-berger" };
      const each = (key) => new Map(state.names.map((name) => [name, VALUES[key](state, name)]));
      return Object.fromEntries(Object.entries(shown).map(([name, key]) => [name, each(key)]));
    },
    slots: (season, first) => ({ slots: F.standardSlots(seeds(season, first)) }),
  };
  Object.assign(F, { divisionSteps, ladder, readRoundRobin });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
