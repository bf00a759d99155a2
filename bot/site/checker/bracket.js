/* Brackets: slots, byes, who goes on, places; re-seeding by layers and later rematches in OHS. */
((F) => {
  "use strict";

  const powerAbove = (n) => {
    let size = 1;
    while (size < n) size *= 2;
    return size;
  };

  /*
   * The tree of a bracket as it stands after the finals played so far: `places[i]` is who is in place i + 1 of the round to
   * come, null where nobody is left. Place s plays place (size + 1 - s); the winner goes on in the smaller of the two.
   * `inside`: who hasn't lost; both of a match that is still open, one of whom stands in its place.
   * `slots`: who is in the first slots, 1 to size; `rounds`: the finals so far; `at(n)`: the state before round n;
   * `planned(n, matches, first)`: the matches of round n by the rules, of those of the tree.
   */
  function tree(slots, rounds, at, n, planned) {
    const first = new Map(slots.flatMap((name, i) => (name === null ? [] : [[name, i + 1]])));
    const out = new Map(); // who lost, and the round they lost in; who left between two rounds lost in the next
    let places = slots;
    let through = new Set();
    for (const round of rounds) {
      places = stillThere(places, at(round.number), out);
      [places, through] = afterRound(places, round, first, out, (matches) => planned(round.number, matches, first));
    }
    if (rounds.length && isOpen(rounds.at(-1))) return { first, places, inside: through, out };
    const decided = rounds.length > 0 && places.length === 1; // the final was played: who won it stays its winner
    if (!decided) places = stillThere(places, at(n), out);
    return { first, places, inside: new Set(places.filter((name) => name !== null)), out };
  }

  const isOpen = ({ matches }) => matches.some(({ kind }) => kind === "open");

  function stillThere(places, state, out) {
    return places.map((name) => {
      if (name === null || !state.gone(name)) return name;
      out.set(name, state.n);
      return null;
    });
  }

  /* Who is in no first slot, and in a published match of the bracket, stands behind all who are in one. */
  const LAST_SLOT = 2 ** 31;
  const bySlotOf = (first) => (a, b) => first.get(a) - first.get(b) || F.compare(a, b);

  /* Matches by their smaller first slot, which is the upper player's. */
  const listedBySlot = (matches, first) =>
    matches.map((two) => two.slice().sort(bySlotOf(first))).sort(([a], [b]) => bySlotOf(first)(a, b));

  /* The two of each place of the next round, the smaller first slot first; one or nobody where somebody is missing. */
  function meetings(places, first) {
    const half = Math.ceil(places.length / 2);
    return Array.from({ length: half }, (_, i) =>
      [...new Set([places[i], places[places.length - 1 - i]])].filter((name) => name !== null).sort(bySlotOf(first)),
    );
  }

  /*
   * Who stands where after a round: a match or bye stands where its players were to meet, one changed by hand where its
   * smaller first slot stood; who is seated nowhere has lost. `planned` makes the matches of the rules, whose swaps
   * exchange places, of those of the tree.
   */
  function afterRound(places, round, first, out, planned) {
    const before = meetings(places, first);
    const place = new Map(before.flatMap((two, i) => two.map((name) => [name, i])));
    const upper = new Set(before.map(([name]) => name));
    for (const two of planned(before.filter(({ length }) => length === 2))) {
      const at = place.get(two.find((name) => upper.has(name)));
      for (const name of two) place.set(name, at);
    }
    const alone = new Set(before.filter(({ length }) => length === 1).flat());
    const byes = round.byes.map((name) => ({ players: [name], winner: name }));
    const seats = [...round.matches, ...byes].filter(({ players }) => players.some((name) => place.has(name)));
    const seated = new Set(seats.flatMap(({ players }) => players));
    for (const name of alone) if (!seated.has(name)) seats.push({ players: [name], winner: name });
    for (const name of seated) if (!first.has(name)) first.set(name, LAST_SLOT);
    const bySlot = ({ players }) => players.slice().sort(bySlotOf(first));
    seats.sort((a, b) => bySlotOf(first)(bySlot(a)[0], bySlot(b)[0]));
    const next = new Array(before.length).fill(null);
    const through = new Set();
    const settle = ({ players, winner }) => {
      const names = bySlot({ players });
      const wanted = names.filter((name) => place.has(name)).map((name) => place.get(name));
      const at = wanted.find((one) => next[one] === null) ?? next.indexOf(null);
      if (at < 0) return;
      next[at] = winner ?? names[0];
      for (const name of winner === null ? names : [winner]) through.add(name);
    };
    const asPlanned = ({ players: [a, b] }) => (b === undefined ? alone.has(a) : place.get(a) === place.get(b));
    seats.filter(asPlanned).forEach(settle);
    seats.filter((seat) => !asPlanned(seat)).forEach(settle);
    for (const name of through) out.delete(name);
    for (const name of [...place.keys(), ...seated]) if (!through.has(name)) out.set(name, round.number);
    return [next, through];
  }

  /* The next matches of a tree from its top, and who has nobody to play. */
  function nextMatches({ places, first }) {
    const two = meetings(places, first);
    const matches = two.filter(({ length }) => length === 2);
    return { matches, byes: two.filter(({ length }) => length === 1).flat() };
  }

  /* Seeds into slots: seed s in slot s; who would play a slot above the last has a bye. */
  function standardSlots(seeds) {
    const size = powerAbove(seeds.length);
    return Array.from({ length: size }, (_, i) => seeds[i] ?? null);
  }

  /*
   * OHS: put each layer (players with equally many byes whose opponents are known) through the pairing of a tier; the
   * i-th pair, by better seed, takes the i-th slot of the layer from the top and the i-th from the bottom.
   */
  function reseeded(seeds, ranking, allowed) {
    const slots = standardSlots(seeds);
    const lists = [];
    const size = slots.length;
    const byes = size - seeds.length;
    const layers = [
      [byes, seeds.length],
      [Math.max(0, size / 2 - byes), Math.min(byes, size / 2)],
    ];
    for (const [from, to] of layers) {
      const layer = seeds.slice(from, to);
      if (layer.length < 2) continue;
      const found = F.pairTier(
        layer,
        ranking.filter((name) => layer.includes(name)),
        allowed,
      );
      const place = new Map(layer.map((name, i) => [name, i]));
      const pairs = found.pairs.map(({ players }) => players.slice().sort((a, b) => place.get(a) - place.get(b)));
      pairs.sort((a, b) => place.get(a[0]) - place.get(b[0]));
      pairs.forEach(([better, worse], i) => {
        slots[from + i] = better;
        slots[to - 1 - i] = worse;
      });
      lists.push({ where: `seeds ${from + 1} to ${to}`, ...found, by: "seed", joined: [] });
    }
    return { slots, lists };
  }

  /* OHS: swap lower players where a later match would be a rematch; with the fewest rematches where swaps leave one. */
  function avoidRematches(matches, allowed) {
    const lower = matches.map((match) => match[1]);
    const upper = matches.map((match) => match[0]);
    const free = (i, j) => allowed(upper[i], lower[j]);
    const order = (i) => [...upper.keys()].slice(i + 1).concat([...upper.keys()].slice(0, i).reverse());
    const before = lower.slice();
    for (const i of upper.keys()) {
      if (free(i, i)) continue;
      const other = order(i).find((j) => free(i, j) && free(j, i));
      if (other !== undefined) [lower[i], lower[other]] = [lower[other], lower[i]];
    }
    if (upper.every((_, i) => free(i, i))) return upper.map((name, i) => [name, lower[i]]);
    return fewestRematches(upper, before, allowed, order);
  }

  function fewestRematches(upper, lower, allowed, order) {
    /* The fewest rematches of the matches not decided yet: each table of "upper i may play lower j" by augmenting rows. */
    const fewest = (rows, columns) => {
      const taken = new Map();
      const find = (i, seen) =>
        columns.some((j) => {
          if (seen.has(j) || !allowed(upper[i], lower[j])) return false;
          seen.add(j);
          if (taken.has(j) && !find(taken.get(j), seen)) return false;
          taken.set(j, i);
          return true;
        });
      return rows.filter((i) => !find(i, new Set())).length;
    };
    const rows = [...upper.keys()];
    const left = new Set(rows);
    const best = fewest(rows, rows);
    let spent = 0;
    return rows.map((i) => {
      const rest = rows.slice(i + 1);
      const chosen = [i, ...order(i)].find((j) => {
        if (!left.has(j)) return false;
        const cost = allowed(upper[i], lower[j]) ? 0 : 1;
        return (
          spent +
            cost +
            fewest(
              rest,
              [...left].filter((k) => k !== j),
            ) ===
          best
        );
      });
      left.delete(chosen);
      spent += allowed(upper[i], lower[chosen]) ? 0 : 1;
      return [upper[i], lower[chosen]];
    });
  }

  Object.assign(F, { avoidRematches, bySlotOf, listedBySlot, nextMatches, powerAbove, reseeded, standardSlots, tree });
  /* Who can be in the cut: who comes only now is too late; who left since counts where nobody replaces them. */
  function candidates(season, first) {
    const state = season.before(first);
    const returns = (name) => season.departures.some((gone) => gone.name === name && gone.rejoined === first);
    const there = (name) =>
      season.players.get(name).entered < first && !season.isGone(name, first - 1) && !returns(name);
    const leftSince = (name) =>
      !season.settings.replace &&
      season.departures.some((gone) => gone.name === name && gone.round === first && !gone.afterPairing);
    return state.names.filter((name) => (there(name) && !state.gone(name)) || (there(name) && leftSince(name)));
  }

  /* The matches of a round of the bracket by the rules, from those of its tree, and how many are rematches. */
  const arranged = (season, format, opening, n, matches, slot) =>
    format.rearranged ? format.rearranged(season, opening, n, matches, slot) : { matches, rematches: 0 };

  /* Who began in which slot, with what led to it: as the file says it where a player was forgotten since. */
  const firstSlots = (season, format, first) =>
    season.bracket ? { slots: season.bracket } : format.slots(season, first);

  /* The bracket before round `n`, whose first round is `first`: its tree and the slots it began with. */
  function bracket(season, format, first, n) {
    const at = (round) => season.before(round);
    const { slots, ...how } = firstSlots(season, format, first);
    const planned = (round, matches, slot) => arranged(season, format, first, round, matches, slot).matches;
    return { ...F.tree(slots, season.rounds.slice(first - 1, n - 1), at, n, planned), ...how, slots };
  }

  /* The next round of a bracket, or the champion. */
  function nextOfBracket(season, format, first, n) {
    const found = bracket(season, format, first, n);
    const left = found.places.filter((name) => name !== null);
    if (left.length < 2) return { champion: left[0] ?? null };
    const { matches, byes } = F.nextMatches(found);
    const pairs = arranged(season, format, first, n, matches, found.first);
    const planned = new Set(matches.map((two) => F.pairKey(...two)));
    const swapped = (two) => (planned.has(F.pairKey(...two)) ? [] : [`Swapped, ${format.swaps}.`]);
    return {
      stage: "finals",
      byes: n === first || format.listsBySlot ? byes.sort(bySlotOf(found.first)) : byes, // else from the top of the tree
      matches: pairs.matches.map((players) => ({
        players,
        why: [why(players, found, n === first), ...swapped(players)],
      })),
      rematches: pairs.rematches,
    };
  }

  function why([a, b], { first, places }, opening) {
    const round = places.length === 2 ? "the final" : `the round of ${places.length}`;
    return opening
      ? `Slot ${first.get(a)} plays slot ${first.get(b)} in ${round}.`
      : `${a} (slot ${first.get(a)}) and ${b} (slot ${first.get(b)}) meet in ${round}.`;
  }

  /* The place in the finals of everybody in the bracket: null for who is still in; `open`: the last round is still played. */
  function placesOf({ places, first, inside, out }, champion, n, open) {
    const found = new Map([...inside].map((name) => [name, name === champion ? 1 : null]));
    const { matches, byes } = F.nextMatches({ places, first });
    const winners = open ? places.filter((name) => name !== null).length : matches.length + byes.length;
    const survive = { [open ? n - 1 : n]: winners }; // in the round that isn't over, whoever wins
    for (const [name, round] of out) {
      const later = [...out.values()].filter((other) => other > round).length;
      found.set(name, Math.max(2, 1 + (survive[round] ?? inside.size + later))); // nobody is first where both finalists left
    }
    return found;
  }

  Object.assign(F, { bracket, candidates, firstSlots, nextOfBracket, placesOf });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
