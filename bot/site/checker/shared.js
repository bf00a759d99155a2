/* What the formats have in common: the table of rounds and cuts, reasons in words, who can be paired. */
((F) => {
  "use strict";

  /* Rounds and cut by the number of entrants at the start: up to so many, rounds, cut (0: none). */
  const TABLE = [
    [8, 3, 0],
    [16, 4, 4],
    [32, 5, 4],
    [64, 6, 8],
    [128, 7, 8],
    [256, 8, 16],
    [512, 9, 16],
  ];

  function fromTable(entrants) {
    const [, rounds, cut] = TABLE.find(([most]) => entrants <= most) ?? [];
    const halved = Math.max(1, Math.ceil(Math.log2(entrants)));
    if (entrants < 5) return { rounds: halved, cut: 0 };
    return { rounds: rounds ?? halved, cut: cut ?? 16 };
  }

  const listed = (names) => (names.length ? names.join(", ") : "nobody");

  /*
   * The pairs of a list with the sentence that says why, and how many of them are forbidden. `by` says what put the list
   * in order: the draw, the rating, or the strength of schedule; `joined` who was taken from below, or floated from above, `floats` who goes
   * on to the next list.
   */
  function told({ pairs, rematches, steps, list }, where, reason, { by = "draw", joined = [], floats = [] } = {}) {
    return {
      lists: [{ where, list, steps, by, joined, floats }],
      matches: pairs.map(({ players: [a, b], passed, undone }) => {
        let sentence = `${a} was the next to choose in ${where}`;
        if (undone.length) {
          sentence += `; everybody left was forbidden, so ${undone.map((two) => two.join(" and ")).join(", ")} were un-paired`;
          sentence += `, and with ${b} the others need the fewest rematches.`;
        } else if (passed.length)
          sentence += `, could not play ${listed(passed)}${reason(a, passed[0])}, and got ${b}.`;
        else sentence += ` and got ${b}.`;
        return { players: [a, b], why: [sentence] };
      }),
      rematches,
    };
  }

  const add = (parts) => ({
    lists: parts.flatMap(({ lists }) => lists),
    matches: parts.flatMap(({ matches }) => matches),
    rematches: parts.reduce((total, { rematches }) => total + rematches, 0),
  });

  /* Which two can be paired: not forbidden by `met`, and not kept apart in this round. */
  function rule(state, met) {
    const { season, n } = state;
    return (a, b) => !met(a, b) && !season.isApart(a, b, n);
  }
  const because = (state) => (a, b) => (state.season.isApart(a, b, state.n) ? " (kept apart)" : " (they met)");

  function withFewestByes(state, names) {
    const fewest = Math.min(...names.map((name) => state.records.get(name).byes));
    return names.filter((name) => state.records.get(name).byes === fewest);
  }

  const lossesOf = (state) => (name) => state.records.get(name).losses;
  const winsOf = (state) => (name) => state.records.get(name).wins;

  /* Those who are paired in this round; fewer than two can't be. */
  function players(state, names = state.playing) {
    if (names.length < 2)
      throw new F.Impossible(
        "Fewer than two are left to pair, because others sit this round out: one of them must take that back.",
      );
    return names;
  }

  F.formats = {};
  F.shared = { add, because, fromTable, lossesOf, players, rule, told, winsOf, withFewestByes };
})((globalThis.Fairpair = globalThis.Fairpair || {}));
