/* Single elimination, drawn or seeded, with a match for the third place if wanted. */
((F) => {
  "use strict";

  const singleElimination = {
    wouldPlay: () => false,
    tiebreaks: () => ({}),

    slots(season) {
      const names = season.before(1).present;
      if (season.settings.seeding === "seeded") {
        const seed = (name) => season.players.get(name).seed;
        if (names.some((name) => seed(name) === null)) throw new F.Impossible("Every player needs a seed.");
        return { slots: F.standardSlots(names.slice().sort((a, b) => seed(a) - seed(b))) };
      }
      const size = F.powerAbove(names.length);
      const byes = season.byDraw(names, 1, "bye").slice(0, size - names.length);
      const others = season.byDraw(
        names.filter((name) => !byes.includes(name)),
        1,
        "order",
      );
      const units = byes.map((name) => [name]);
      for (let i = 0; i < others.length; i += 2) units.push([others[i], others[i + 1]]);
      const number = (unit) => unit.map((name) => season.draw(1, "match", name)).sort()[0];
      units.sort((a, b) => F.compare(number(a), number(b)));
      const slots = new Array(size).fill(null);
      units.forEach(([a, b = null], i) => {
        slots[i] = a;
        if (size > 1) slots[size - 1 - i] = b;
      });
      return { slots, drawn: { byes, others } };
    },
  };

  /* The round after the semi-finals has a match of their losers, too, where the setting says so. */
  function withThirdPlace(season, n, round) {
    if (!season.settings.third_place || !round.matches || round.matches.length !== 1 || n < 2 || round.byes.length)
      return round;
    const { out, first, places } = F.bracket(season, singleElimination, 1, n);
    if (places.length !== 2) return round; // the other half of the bracket has left
    const losers = [...out.keys()].filter((name) => out.get(name) === n - 1).sort(F.bySlotOf(first));
    if (losers.length !== 2) return round;
    const there = losers.filter((name) => !season.isGone(name, n));
    if (there.length < 2) return { ...round, byes: there };
    const why = [`${losers.join(" and ")} lost the semi-finals.`];
    return { ...round, matches: [...round.matches, { players: losers, why }] };
  }

  F.formats["single-elimination"] = singleElimination;
  F.withThirdPlace = withThirdPlace;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
