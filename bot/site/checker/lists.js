/* The pairing of a list, un-paired again where somebody is stuck, and how few forbidden pairs a complete pairing needs. */
((F) => {
  "use strict";

  /* How many pairs of allowed opponents there can be at most among `people`. */
  function mostPairs(people, allowed) {
    const n = people.length;
    const mate = new Array(n).fill(-1);
    for (let a = 0; a < n; a += 1) {
      if (mate[a] >= 0) continue;
      const b = people.findIndex((other, i) => i > a && mate[i] < 0 && allowed(people[a], other));
      if (b >= 0) [mate[a], mate[b]] = [b, a];
    }
    const alone = mate.filter((other) => other < 0).length;
    if (alone < 2) return (n - alone) / 2; // nobody can do better: most lists end here
    const open = people.map(() => new Array(n).fill(false));
    for (let a = 0; a < n; a += 1)
      for (let b = 0; b < a; b += 1) open[a][b] = open[b][a] = allowed(people[a], people[b]);
    for (let a = 0; a < n; a += 1) if (mate[a] < 0) lengthen(a, open, mate);
    return mate.filter((other) => other >= 0).length / 2;
  }

  /* Look for a way from `start`, who is alone, to another who is, and pair everybody along it anew (Edmonds 1965). */
  function lengthen(start, open, mate) {
    const n = open.length;
    const base = open.map((_, v) => v); // the first of the odd circle somebody is in
    const from = new Array(n).fill(-1);
    const reached = new Array(n).fill(false);
    const queue = [start];
    reached[start] = true;

    const meeting = (a, b) => {
      const passed = new Set();
      for (let at = base[a]; ; at = base[from[mate[at]]]) {
        passed.add(at);
        if (mate[at] < 0) break;
      }
      let at = base[b];
      while (!passed.has(at)) at = base[from[mate[at]]];
      return at;
    };
    const mark = (a, stem, towards, circle) => {
      for (let at = a, next = towards; base[at] !== stem; ) {
        circle.add(base[at]).add(base[mate[at]]);
        from[at] = next;
        next = mate[at];
        at = from[mate[at]];
      }
    };

    for (let i = 0; i < queue.length; i += 1) {
      const v = queue[i];
      for (let u = 0; u < n; u += 1) {
        if (!open[v][u] || base[v] === base[u] || mate[v] === u) continue;
        if (u === start || (mate[u] >= 0 && from[mate[u]] >= 0)) {
          const stem = meeting(v, u);
          const circle = new Set();
          mark(v, stem, u, circle);
          mark(u, stem, v, circle);
          for (let w = 0; w < n; w += 1) {
            if (!circle.has(base[w])) continue;
            base[w] = stem;
            if (!reached[w]) {
              reached[w] = true;
              queue.push(w);
            }
          }
        } else if (from[u] < 0) {
          from[u] = v;
          if (mate[u] < 0) {
            for (let at = u; at >= 0; ) {
              const before = from[at];
              const next = mate[before];
              [mate[at], mate[before]] = [before, at];
              at = next;
            }
            return;
          }
          reached[mate[u]] = true;
          queue.push(mate[u]);
        }
      }
    }
  }

  /* The fewest forbidden pairs with which all `people` (an even number) can be paired. */
  const fewestForbidden = (people, allowed) => people.length / 2 - mostPairs(people, allowed);

  F.fewestForbidden = fewestForbidden;

  /*
   * Pair a list whose first is always the next to choose.
   *   `choices(a, free)`: opponents of `a` among all who are free in the order `a` takes them, forbidden ones last.
   *   `afterwards(a, free, undone)`: the same where `a` was stuck and the pairs `undone` (earliest first) were un-paired.
   *   `looks(a, free, undone)`: the opponents in the order `a` looks at them, which is told and decides nothing.
   *   `test(a, free)`: what decides whom `a` passes over although they may play, for telling only.
   *   `allowed(a, b)`: whether the two may be paired; all forbidden pairs weigh the same.
   * Returns the pairs in the order they were set, who chose first, each with what led to it, and every step on the way:
   * a pair that was set, or who was stuck and which pairs were un-paired then.
   */
  function walk(list, allowed, { choices, afterwards, looks, test = () => () => ({}) }) {
    const fewest = F.fewestForbidden(list, allowed);
    const pairs = [];
    const steps = [];
    const free = () => {
      const taken = new Set(pairs.flatMap(({ players }) => players));
      return list.filter((name) => !taken.has(name));
    };
    const forbidden = () => pairs.filter(({ players: [a, b] }) => !allowed(a, b)).length;
    const set = (a, b, people, { tried = [], undone = [] } = {}) => {
      const numbers = test(a, people);
      const seen = looks(a, people, undone);
      const before = seen.slice(0, seen.indexOf(b));
      const because = (other) => (tried.includes(other) ? "rest" : allowed(a, other) ? "test" : "forbidden");
      const skipped = seen
        .filter((other) => other !== b && (before.includes(other) || tried.includes(other)))
        .map((name) => ({ name, because: because(name), ...numbers(name) }));
      Object.assign(pairs.at(-1), { skipped, forbidden: !allowed(a, b), undoneBy: null });
      steps.push(pairs.at(-1));
    };
    const completable = () => forbidden() + F.fewestForbidden(free(), allowed) <= fewest;

    for (let left = free(); left.length; left = free()) {
      const [a] = left;
      const found = choices(a, left).find((b) => allowed(a, b));
      if (found !== undefined) {
        pairs.push({ players: [a, found], passed: left.filter((b) => b !== a && !allowed(a, b)), undone: [] });
        set(a, found, left);
        continue;
      }
      const undone = [];
      const stuck = { stuck: a, left: left.filter((b) => b !== a), undoes: undone };
      steps.push(stuck);
      while (!completable()) {
        pairs.at(-1).undoneBy = stuck;
        undone.unshift(pairs.pop().players);
      }
      const everybody = free();
      const tried = [];
      const next = afterwards(a, everybody, undone).find((b) => {
        pairs.push({ players: [a, b], undone, passed: [] });
        const possible = completable();
        if (!possible) tried.push(pairs.pop().players[1]);
        return possible;
      });
      if (next === undefined) throw new Error(`nobody is left for ${a} in a list of ${list.length}`);
      set(a, next, everybody, { tried, undone });
    }
    return { pairs, rematches: forbidden(), steps, list };
  }

  /* Pair a list in its order: round 1, pools, groups, OHS's tiers of two and more losses. */
  function pairList(list, allowed) {
    const others = (a, free) => free.filter((b) => b !== a);
    return walk(list, allowed, {
      choices: others,
      afterwards: (a, free, undone) => [
        ...undone.flat().filter((b) => allowed(a, b)),
        ...others(a, free).filter((b) => !allowed(a, b)),
      ],
      looks: (a, free, undone) => [...new Set([...undone.flat(), ...others(a, free)])],
    });
  }

  /*
   * Pair an OHS tier of no or one loss, or a layer of its bracket: `list` by strength of schedule, `ranking` best first.
   * Opponents are taken from the lowest-ranked up; one is passed over whose place by strength of schedule is not below
   * as many as are ranked below the chooser in the lower half.
   */
  function pairTier(list, ranking, allowed) {
    const rank = new Map(ranking.map((name, i) => [name, i]));
    const lowestFirst = (people) => people.slice().sort((a, b) => rank.get(b) - rank.get(a));
    const test = (a, free) => {
      const weaker = free.slice(free.length / 2).filter((c) => rank.get(c) > rank.get(a)).length;
      return (b) => ({ place: free.indexOf(b) + 1, weaker });
    };
    const passes = (a, free) => {
      const numbers = test(a, free);
      return (b) => numbers(b).place > numbers(b).weaker;
    };
    const choices = (a, free) => {
      const others = lowestFirst(free.filter((b) => b !== a));
      const fair = passes(a, free);
      const fresh = others.filter((b) => allowed(a, b));
      return [...fresh.filter(fair), ...fresh.filter((b) => !fair(b)), ...others.filter((b) => !allowed(a, b))];
    };
    const looks = (a, free) => lowestFirst(free.filter((b) => b !== a));
    return walk(list, allowed, { choices, afterwards: choices, looks, test });
  }

  Object.assign(F, { pairList, pairTier });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
