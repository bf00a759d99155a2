/* Standings of the regular stage (of the whole bracket in single elimination), with every tie-break as an exact fraction. */
((F) => {
  "use strict";

  const ZERO = new F.Fraction(0);
  const sum = (fractions) => fractions.reduce((total, fraction) => total.plus(fraction), ZERO);
  const share = (part, whole) => (whole ? new F.Fraction(part, whole) : ZERO);
  const average = (fractions) => (fractions.length ? sum(fractions).times(new F.Fraction(1, fractions.length)) : ZERO);

  /* KeyForge: each opponent's points for each round they played, one value a meeting. */
  function keyforge(state) {
    const rate = new Map([...state.records.values()].map(({ name, points, rounds }) => [name, share(points, rounds)]));
    const over = (values) =>
      new Map(
        [...state.records.values()].map(({ name, opponents }) => [
          name,
          average(opponents.map((other) => values.get(other))),
        ]),
      );
    const strength = over(rate);
    return { strength_of_schedule: strength, extended_strength_of_schedule: over(strength) };
  }

  /* Lightseekers: final wins of those one beat, game wins, game wins for each game. */
  function lightseekers(state) {
    const { records } = state;
    const each = (value) => new Map([...records.values()].map((record) => [record.name, value(record)]));
    return {
      beaten_opponents_wins: each(({ beaten }) => sum(beaten.map((other) => new F.Fraction(records.get(other).wins)))),
      game_wins: each(({ games }) => new F.Fraction(games[0])),
      game_win_percentage: each(({ games }) => share(...games)),
    };
  }

  /* Two-loss-out: twice the share of wins of the opponents, and that of their opponents, oneself among them. */
  function twoLossOut(state) {
    const { records } = state;
    const wins = (names) => names.reduce((total, name) => total + records.get(name).wins, 0);
    const games = (names) =>
      names.reduce((total, name) => total + records.get(name).wins + records.get(name).losses, 0);
    const rows = [...records.values()].map(({ name, opponents }) => {
      const second = opponents.flatMap((other) => records.get(other).opponents);
      return {
        name,
        owr: share(2 * wins(opponents), games(opponents)),
        oowr: share(wins(second), games(second)),
      };
    });
    const each = (value) => new Map(rows.map((row) => [row.name, value(row)]));
    return {
      strength_of_schedule: each(({ owr, oowr }) => owr.plus(oowr)),
      owr: each(({ owr }) => owr),
      oowr: each(({ oowr }) => oowr),
    };
  }

  /* OHS: a mean of chances, to 9 decimals. */
  const ohs = (state) => ({ strength_of_schedule: state.ohsStrength });

  const most = (value) => (a, b) => F.compare(value(b), value(a));
  const fewest = (value) => (a, b) => F.compare(value(a), value(b));
  const highest = (values) => (a, b) => values.get(b).compare(values.get(a));

  /*
   * The orders of an organiser that count: each is of exactly the players whom `comparisons` leave equal, and is the newest
   * of theirs after a round that is finished (of one round the later in the file).
   */
  function orders(state, comparisons) {
    const { season, n, names } = state;
    const finished = (number) => season.rounds[number - 1].matches.every(({ kind }) => kind !== "open");
    const found = new Map(); // by the first player of the group
    for (const decision of season.decisions.slice().sort((a, b) => a.afterRound - b.afterRound)) {
      const { afterRound, order } = decision;
      if (afterRound >= n || !finished(afterRound) || !order.length || !order.every((name) => names.includes(name)))
        continue;
      const equals = names.filter((name) => comparisons.every((compare) => compare(order[0], name) === 0));
      if (equals.length === order.length && equals.every((name) => order.includes(name)))
        found.set(equals[0], decision);
    }
    return [...found.values()];
  }

  /* What an organiser decided among equals. */
  function decided(state, comparisons) {
    const place = new Map(orders(state, comparisons).flatMap(({ order }) => order.map((name, i) => [name, i])));
    return fewest((name) => place.get(name) ?? 0);
  }

  Object.assign(F, {
    decided,
    fewest,
    highest,
    keyforge,
    lightseekers,
    most,
    ohsTiebreaks: ohs,
    orders,
    share,
    twoLossOut,
  });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
