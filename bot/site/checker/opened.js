/* An opened round: who had the bye and why, the lists with their steps, the bracket, the draw computed live. */
((F) => {
  "use strict";

  const { bold, code, el, mark, named, table } = F.parts;
  const W = F.words;

  /* Everything there is to see of a round. `found` is the round that the rules give, null where they give none. */
  function openedRound(season, round, { found, problem, tied = null }) {
    const n = round.number;
    const drawn = drawBox(season, n, usedDraws(season, round, found, tied), tied);
    const parts = [];
    if (problem && found && found.matches) {
      const both = W.bothWays(round, found);
      parts.push(
        el(
          "p",
          { class: "wrong" },
          bold("Below is what the rules give. "),
          both ? `The file has ${both.said}. The rules give ${both.due}.` : "",
        ),
      );
    }
    if (round.byHand) {
      const why =
        round.byHand === "forgotten"
          ? "A player of this round was forgotten and their name is gone"
          : "An organiser changed this round";
      parts.push(
        el("p", {}, `${why}, so it may differ from the rules. No one plays twice. Below is what the rules give.`),
      );
    }
    if (!found || !found.matches) parts.push(el("p", {}, "The rules give no pairing here."), playedTable(round));
    else if (found.stage === "finals") parts.push(...bracketParts(season, n, found, drawn.show));
    else if (found.tables) parts.push(...divisionParts(season), ...found.tables.flatMap(groupParts));
    else {
      for (const settled of found.settled ?? []) parts.push(settledPart(season, n, found, settled));
      for (const list of found.lists)
        parts.push(...F.picture.listParts(season, n, list, found.lists.length === 1, drawn.show));
    }
    if (found?.matches && season.settings.dice_off !== "off") parts.push(diceTable(season, n, found));
    if (drawn.box) parts.push(drawn.box);
    return parts;
  }

  /* How divisions were filled, step by step: the ladder, everyone else by ranking, then from the top. */
  function divisionParts(season) {
    const steps = F.divisionSteps(season);
    if (!steps) return [];
    const { above, below, sizes } = steps;
    const names = (list) => list.flatMap((name, i) => [i ? ", " : "", named(name)]);
    const sized = sizes.map((size, i) => `division ${i + 1} ${i ? "the next" : "takes the first"} ${size}`);
    const lines = [
      above.length ? el("li", {}, "First come the players who are in the ladder: ", ...names(above), ".") : null,
      below.length
        ? el("li", {}, above.length ? "Then everyone else by ranking: " : "By ranking: ", ...names(below), ".")
        : null,
      el("li", {}, `Of this order, ${sized.join(", ")}.`),
    ];
    return [
      el("details", {}, el("summary", {}, "How the divisions were filled"), el("ol", {}, ...lines.filter(Boolean))),
    ];
  }

  /* A group of a round robin: who meets whom by the table, by the numbers that were drawn. */
  function groupParts({ where, members, matches }) {
    const title = `${where[0].toUpperCase()}${where.slice(1)}`;
    const numbers = members.map((name, i) => [String(i + 1), named(name)]);
    const drawn = el(
      "details",
      {},
      el("summary", {}, "The numbers, by the draw"),
      table(`Numbers of ${where}`, ["Number", "Player"], numbers),
    );
    if (!matches.length) return [el("p", {}, bold(`${title}: `), "everyone has met everyone."), drawn];
    const rows = matches.map(({ players: [a, b], numbers: [i, j] }) => [String(i), named(a), "v", named(b), String(j)]);
    const resting = members.filter((name) => !matches.some(({ players }) => players.includes(name)));
    const rests = resting.length ? el("p", {}, ...resting.map((name) => named(name)), " rests.") : null;
    return [
      el("p", {}, bold(`${title}: `), "the table says which numbers meet."),
      table(`Matches of ${where}`, ["Number", "Player", "v", "Player", "Number"], rows),
      rests,
      drawn,
    ].filter(Boolean);
  }

  /* Who got the bye or joined the players above, among whom. */
  function settledPart(season, n, found, { purpose, among, by, chosen, again }) {
    if (purpose === "again") {
      const two = among.flatMap((name, i) => [i ? " and " : "", bold(named(name))]);
      return el(
        "p",
        { class: "settled" },
        two,
        ` play again: ${W.inWords(season, n - 1)} left no one in. Of its players who are still here, they have the best S.O.S. (how strong their opponents were).`,
      );
    }
    const who = chosen ?? found.byes[0];
    const bye = purpose === "bye";
    const title = bye ? " has the bye" : " plays with those above, who are one too few";
    if (by !== "draw") {
      const why =
        by === "standings"
          ? "lowest in the standings among those with the fewest byes"
          : again
            ? "the highest-rated, as all of them did before"
            : "the highest-rated who didn't yet";
      return el(
        "p",
        { class: "settled" },
        bold(named(who)),
        `${title}: ${why}, of ${W.count(among.length, "player")}.`,
      );
    }
    const drawn = season.byDraw(among, n, purpose);
    const place = drawn.indexOf(who);
    const which = (i) =>
      i === place ? [mark("tick", ""), place ? " chosen" : " smallest"] : i < place ? "more would meet again" : "";
    const rows = drawn
      .slice(0, Math.max(12, place + 1))
      .map((name, i) => [named(name), code(`${season.draw(n, purpose, name).slice(0, 16)}…`), which(i)]);
    const first = place
      ? `the first of ${among.length} in the order of the draw with whom the fewest meet again.`
      : `the smallest draw of ${among.length}.`;
    const least = among.length === 1 ? "the only one who can." : first;
    const line = el("p", { class: "settled" }, bold(named(who)), `${title}: ${least}`);
    if (among.length === 1) return line;
    const all = el(
      "details",
      {},
      el("summary", {}, `The draws for ${W.CHANCE[purpose]}`),
      table("Draws", ["Name", "Draw", "Which"], rows),
    );
    return el("div", {}, line, all);
  }

  function bracketParts(season, n, found, show) {
    const first = F.finalsFrom(season, n);
    const tree = F.bracket(season, F.formats[season.format], first, n);
    const slot = (name) => String(tree.first.get(name));
    const parts = [];
    if (n === first) {
      const size = tree.slots.length;
      parts.push(
        el(
          "p",
          {},
          bold(`A bracket of ${size} slots: 1 plays ${size}, 2 plays ${size - 1}, and so on.`),
          ` ${howSlots(season, tree, first)}`,
        ),
      );
      if (tree.drawn) parts.push(drawnSlots(season, tree));
      for (const list of tree.lists ?? []) parts.push(...F.picture.listParts(season, n, list, false, show));
      if (tree.lists?.length)
        parts.push(el("p", {}, "The pairs take their slots from the outside in, in the order of their better seeds."));
    } else {
      parts.push(
        el(
          "p",
          {},
          bold(
            "Winners go on: the first and the last place of the bracket play each other, the second and the last but one, and so on.",
          ),
        ),
      );
    }
    const before = new Set(F.nextMatches(tree).matches.map(([a, b]) => F.pairKey(a, b)));
    const swapped = found.matches.filter(
      ({ players }) => !before.has(F.pairKey(...players)) && players.every((name) => !tree.out.has(name)),
    );
    if (swapped.length) {
      parts.push(
        el(
          "p",
          {},
          `${W.and(swapped.map(({ players }) => players.join(" v ")))}: swapped, ${F.formats[season.format].swaps}.`,
        ),
      );
    }
    const rows = found.matches.map(({ players: [a, b] }) => [slot(a), named(a), "v", named(b), slot(b)]);
    parts.push(
      table(
        "Matches of the bracket",
        ["Slot", "Player", "v", "Player", "Slot"],
        [...rows, ...found.byes.map((name) => [slot(name), named(name), "", "has nobody to play", ""])],
      ),
    );
    return parts;
  }

  function howSlots({ bracket, format, settings }, { drawn }, first) {
    if (bracket) return "A player was forgotten after it began, so the slots are taken from the file.";
    if (format !== "single-elimination")
      return `The seeds come from the standings after round ${first - 1}; they take the slots from 1.`;
    if (settings.seeding === "seeded") return "The slots are the seeds the organiser gave.";
    return drawn.byes.length
      ? "The slots are drawn. The smallest draws for the bye wait for round 2; the others are put in the order of the draw, and neighbours play. Matches and byes are numbered by the smallest draw of theirs."
      : "The slots are drawn: all are put in the order of the draw, and neighbours play. Matches are numbered by the smallest draw of theirs.";
  }

  function drawnSlots(season, { drawn: { byes, others }, slots }) {
    const draw = (purpose, name) => code(`${season.draw(1, purpose, name).slice(0, 12)}…`);
    const number = (name) => {
      const i = slots.indexOf(name);
      return String(Math.min(i, slots.length - 1 - i) + 1);
    };
    const rows = [
      ...byes.map((name) => [named(name), draw("bye", name), "bye", draw("match", name), number(name)]),
      ...others.map((name, i) => [
        named(name),
        draw("order", name),
        named(others[i % 2 ? i - 1 : i + 1]),
        draw("match", name),
        number(name),
      ]),
    ];
    return table("The draw", ["Name", "Draw", "Plays", "Draw of the number", "Match"], rows);
  }

  function diceTable(season, n, found) {
    const dice = F.diceOffs(season, n, found.matches);
    const rows = found.matches.map(({ players: [a, b] }, i) => [named(a), named(b), named(dice[i])]);
    return el(
      "details",
      {},
      el("summary", {}, "Who has the first choice"),
      table("First choice", ["Player", "Player", "First choice"], rows),
    );
  }

  function playedTable(round) {
    return table(
      "Matches",
      ["Player", "Player", "Winner"],
      round.matches.map(({ players: [a, b], winner }) => [named(a), named(b), winner ? named(winner) : ""]),
    );
  }

  /* The purposes for which a round drew. */
  function usedDraws(season, round, found, tied) {
    const used = new Set();
    for (const { purpose, by } of found?.settled ?? []) if (by === "draw") used.add(purpose);
    if (found?.tables && round.number === 1) used.add("order");
    for (const { by } of found?.lists ?? []) if (by === "draw") used.add("order");
    if (
      season.format === "single-elimination" &&
      round.number === 1 &&
      season.settings.seeding !== "seeded" &&
      !season.bracket
    )
      ["order", "bye", "match"].forEach((purpose) => used.add(purpose));
    if (season.settings.dice_off !== "off") used.add("dice");
    const seeds = found?.matches && (found.stage !== "finals" || F.finalsFrom(season, round.number) === round.number);
    if (tied !== null && seeds) used.add("tiebreak");
    const rank = Object.keys(W.CHANCE);
    return [...used].sort((a, b) => rank.indexOf(a) - rank.indexOf(b));
  }

  const shell = (text) => `printf '%s' '${text.replaceAll("'", "'\\''")}' | sha256sum`;

  let boxes = 0;

  /* A name, its text and its hash, worked out while one types: nothing where no draw decided. `tied`: whose draw ties had. */
  function drawBox(season, n, purposes, tied) {
    if (!purposes.length) return { box: null, show: () => null };
    boxes += 1;
    const id = `draw-${boxes}`;
    const people = season.before(n).present;
    const { salt } = season.settings;
    const text = el("code", { class: "text" });
    const hash = el("code", { class: "hash" });
    const line = el("code", { class: "shell" });
    const place = el("p", { class: "quiet" });
    const field = el("input", {
      id,
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
      input: () => work(),
    });
    const choice = el(
      "select",
      { "aria-label": "What is drawn", change: () => work() },
      purposes.map((purpose) => el("option", { value: purpose }, W.CHANCE[purpose])),
    );
    const work = () => {
      const name = field.value.normalize("NFC");
      const purpose = choice.value;
      const drawRound = purpose === "tiebreak" ? tied : n;
      const whole = [season.number, drawRound, purpose, ...(salt === null ? [] : [salt]), name].join("/");
      const found = F.sha256(whole);
      text.textContent = whole;
      hash.textContent = found;
      line.textContent = shell(whole);
      const smaller = people.filter((other) => season.draw(drawRound, purpose, other) < found).length;
      const known = people.includes(name);
      place.textContent = known
        ? `Of the ${people.length} players of this round, ${smaller} ${smaller === 1 ? "has" : "have"} a smaller one.`
        : "No player of this round has this name.";
    };
    const show = (name) => {
      field.value = name;
      work();
    };
    show(people[0] ?? "");
    const row = (words, ...cells) =>
      el("div", { class: "fact" }, el("span", { class: "quiet" }, words), el("span", {}, ...cells));
    const box = el(
      "section",
      { class: "draw" },
      el("h4", {}, "Where the order comes from"),
      el("p", {}, "Each name becomes a long number, the same for everyone who works it out; the smallest is first."),
      el("div", { class: "fact" }, el("label", { class: "quiet", for: id }, "Type any name"), el("span", {}, field)),
      row("Decides", choice),
      row("Text", text),
      row("SHA-256", hash),
      row("In a shell", line),
      place,
      el("p", { class: "quiet" }, W.prevents(season)),
    );
    return { box, show };
  }

  F.openedRound = openedRound;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
