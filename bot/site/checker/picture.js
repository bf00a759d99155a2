/* The steps of a list: a picture with a column a step, and the same one step at a time for a phone. */
((F) => {
  "use strict";

  const { bold, el, mark, named, said, svg } = F.parts;
  const W = F.words;
  const ROW = 36;
  const HEAD = 44;
  const MOST_DRAWN = 64; // rows of a picture; above, only one step at a time

  /* The value that put a player into the list, as people see it. */
  function shownValue(season, n, { by }, name) {
    const state = season.before(n);
    if (by === "draw") return `${season.draw(n, "order", name).slice(0, 12)}…`;
    if (by === "schedule") return state.ohsStrength.get(name).toFixed(9);
    return by === "rating" ? shownRating(season, state.ratings.get(name)) : "";
  }

  /* A rating as people see it; whole points where the league has the usual scale. */
  function shownRating({ settings }, { mu, sigma }) {
    const usual = settings.rating.mu === 25 && settings.rating.sigma === 25 / 3;
    const exposure = mu - 3 * sigma;
    return String(Math.floor((usual ? 1000 + 40 * exposure : exposure) + 0.5));
  }

  const VALUES = { draw: "Draw", schedule: "Opp.", rating: "Rating", seed: "" };

  /* Which step leaves a player with whom. */
  function partners(list) {
    const found = new Map();
    for (const { players, undoneBy } of list.steps) {
      if (!players || undoneBy) continue;
      found.set(players[0], players[1]).set(players[1], players[0]);
    }
    return found;
  }

  function picture(season, n, list) {
    const values = list.by === "seed" ? null : list.list.map((name) => shownValue(season, n, list, name));
    const mate = partners(list);
    const row = (...cells) => el("div", { class: "row" }, ...cells);
    const names = el(
      "div",
      { class: "names" },
      row(
        el("span", { class: "place" }),
        el("span", { class: "who quiet" }, "Name"),
        values && el("span", { class: "value quiet" }, VALUES[list.by]),
      ),
      list.list.map((name, i) =>
        row(
          el("span", { class: "place quiet" }, String(i + 1)),
          el("span", { class: "who", title: name }, named(name)),
          values && el("code", { class: "value" }, values[i]),
        ),
      ),
    );
    const ends = el(
      "div",
      { class: "ends" },
      row(el("span", { class: "quiet" }, "In the end")),
      list.list.map((name) => row(el("span", { title: mate.get(name) }, "plays ", named(mate.get(name) ?? "nobody")))),
    );
    const label = `The ${W.count(list.steps.length, "step")} as a picture; the sentences below say the same.`;
    const steps = el("div", { class: "steps", tabindex: 0, role: "group", "aria-label": label }, drawing(list));
    return el("figure", { class: "picture" }, el("div", { class: "sheet" }, names, steps, ends), legend(list));
  }

  /* The columns: a dot chooses, a cross is skipped, a ring is taken; dashed was undone later. */
  function drawing({ list, steps }) {
    const place = new Map(list.map((name, i) => [name, i]));
    const y = (name) => HEAD + place.get(name) * ROW + ROW / 2;
    const height = HEAD + list.length * ROW;
    const column = Math.max(38, Math.min(60, Math.floor(690 / steps.length)));
    const width = steps.length * column;
    const columns = steps.map((step, k) => {
      const x = k * column + column / 2;
      const kind = step.stuck ? "stuck" : step.undoneBy ? "undone" : step.forbidden ? "again" : "set";
      const parts = [svg("text", { x, y: 18, class: "number" }, String(k + 1))];
      if (kind !== "set")
        parts.push(
          svg("text", { x, y: 35, class: "kind" }, { stuck: "stuck", undone: "undone", again: "again" }[kind]),
        );
      if (step.stuck) {
        parts.push(
          svg("rect", { class: "frame", x: k * column + 3, y: 3, width: column - 6, height: height - 6, rx: 8 }),
        );
        parts.push(
          ...step.left.map((name) => cross(x, y(name))),
          svg("circle", { class: "dot", cx: x, cy: y(step.stuck), r: 7 }),
        );
      } else {
        const [from, to] = step.players.map(y);
        const down = Math.sign(to - from);
        const tip = to - down * 9;
        parts.push(svg("path", { class: "way", d: `M${x} ${from}V${tip - down * 6}` }));
        parts.push(svg("path", { class: "tip", d: `M${x - 5} ${tip - down * 8}H${x + 5}L${x} ${tip}Z` }));
        for (const { name, because } of step.skipped)
          parts.push(because === "test" ? bar(x, y(name)) : cross(x, y(name), because));
        parts.push(
          svg("circle", { class: "dot", cx: x, cy: from, r: 7 }),
          svg("circle", { class: "ring", cx: x, cy: to, r: 7 }),
        );
      }
      return svg("g", { class: kind }, parts);
    });
    return svg(
      "svg",
      { class: "drawing", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      columns,
    );
  }

  const cross = (x, y, because = "forbidden") =>
    svg("path", { class: because === "rest" ? "cross rest" : "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` });
  const bar = (x, y) => svg("path", { class: "bar", d: `M${x - 6} ${y}h12` });

  function legend({ steps }) {
    const small = (...parts) =>
      svg("svg", { viewBox: "0 0 18 18", width: 18, height: 18, class: "drawing", "aria-hidden": "true" }, ...parts);
    const item = (words, ...parts) => el("li", {}, small(svg("g", { class: "set" }, parts)), words);
    const skipped = steps.flatMap((step) => step.skipped ?? []);
    const has = (reason) => skipped.some(({ because }) => because === reason);
    return el(
      "ul",
      { class: "legend" },
      item("chooses", svg("circle", { class: "dot", cx: 9, cy: 9, r: 7 })),
      (has("forbidden") || steps.some(({ stuck }) => stuck)) &&
        item("skipped: they met or are kept apart", cross(9, 9)),
      has("test") ? item("skipped: stands too high in this list", bar(9, 9)) : null,
      has("rest") ? item("skipped: the rest couldn't be paired then", cross(9, 9, "rest")) : null,
      item("taken", svg("circle", { class: "ring", cx: 9, cy: 9, r: 7 })),
      steps.some(({ undoneBy }) => undoneBy) &&
        el("li", {}, small(svg("g", { class: "undone" }, svg("path", { class: "way", d: "M1 9H17" }))), "undone later"),
    );
  }

  /* The steps as sentences, numbered as in the picture. */
  function sentences(season, n, list) {
    const tag = ({ stuck, undoneBy }) =>
      stuck
        ? el("span", { class: "tag stuck" }, "stuck")
        : undoneBy
          ? el("span", { class: "tag" }, "undone later")
          : null;
    const lines = list.steps.map((step, k) =>
      el(
        "li",
        { class: step.stuck ? "stuck" : step.undoneBy ? "undone" : "set" },
        said(W.sentence(season, n, list, k)),
        " ",
        tag(step),
      ),
    );
    return [el("ol", { class: "sentences" }, lines), el("p", {}, W.listEnd(list))];
  }

  /* One step at a time: each player's state in words. `shown(name)` is told whose place may be of interest. */
  function stepper(season, n, list, shown) {
    const { steps } = list;
    const title = el("p", { class: "step", "aria-live": "polite" });
    const where = el("p", { class: "quiet" });
    const bars = el("div", { class: "bars", "aria-hidden": "true" });
    const rows = el("ol", { class: "states" });
    let at = 0;
    const go = (to) => {
      at = to;
      const step = steps[at];
      where.textContent = `Step ${at + 1} of ${steps.length}`;
      title.replaceChildren(...said(W.sentence(season, n, list, at)).flat());
      bars.replaceChildren(
        ...(steps.length > 40
          ? []
          : steps.map((_, k) => el("span", { class: k < at ? "past" : k === at ? "now" : "" }))),
      );
      rows.replaceChildren(
        ...states(season, n, list, at).map(([name, kind, words, shape], i) => stateRow(name, kind, words, shape, i)),
      );
      back.disabled = at === 0;
      next.disabled = at === steps.length - 1;
      shown(step.stuck ?? step.players[0]);
    };
    const back = el("button", { type: "button", class: "button", click: () => go(at - 1) }, "Back");
    const next = el("button", { type: "button", class: "button first", click: () => go(at + 1) }, "Next step");
    go(0);
    return el("div", { class: "stepper" }, where, bars, title, rows, el("div", { class: "buttons" }, back, next));
  }

  function stateRow(name, kind, words, shape, i) {
    const sign = shape === "dot" ? el("span", { class: "dot" }) : shape ? mark(shape, "") : null;
    return el(
      "li",
      { class: kind },
      el("span", { class: "place quiet" }, String(i + 1)),
      el("span", { class: "who" }, named(name)),
      el("span", { class: "state" }, sign, words),
    );
  }

  /* The state of everybody in the list at a step: name, kind, words, mark. */
  function states(season, n, { list, steps }, at) {
    const step = steps[at];
    const standing = new Map();
    for (const { players, undoneBy } of steps.slice(0, at)) {
      if (!players || (undoneBy && steps.indexOf(undoneBy) < at)) continue;
      standing.set(players[0], players[1]).set(players[1], players[0]);
    }
    const undone = new Set(step.stuck ? step.undoes.flat() : []);
    const skipped = new Map((step.skipped ?? []).map((skip) => [skip.name, skip]));
    return list.map((name) => {
      if (name === step.stuck) return [name, "chooses stuck", "stuck", "dot"];
      if (step.stuck && step.left.includes(name)) return [name, "met", W.whyNot(season, n, step.stuck, name), "cross"];
      if (undone.has(name)) return [name, "met", "free again", "wait"];
      if (step.players && name === step.players[0]) return [name, "chooses", "chooses", "dot"];
      if (step.players && name === step.players[1])
        return [name, "taken", step.forbidden ? "taken: nobody else is possible" : "taken", "tick"];
      if (skipped.has(name)) return [name, "met", W.skipWords(season, n, step.players[0], skipped.get(name)), "cross"];
      if (standing.has(name)) return [name, "paired", `paired with ${standing.get(name)}`, null];
      return [name, "", "waiting", null];
    });
  }

  /* A list with everything that shows its steps. */
  function listParts(season, n, list, whole, shown) {
    const heading = el("p", {}, bold(W.aboveList(season, n, list, whole)));
    if (!list.list.length) return [heading];
    if (list.steps.length < 2) return [heading, ...sentences(season, n, list)];
    const drawn = list.list.length <= MOST_DRAWN;
    const parts = el(
      "div",
      { class: drawn ? "both" : "long" },
      drawn ? picture(season, n, list) : null,
      stepper(season, n, list, shown),
    );
    const more = el(
      "details",
      { class: "all", open: !matchMedia("(max-width: 719px)").matches },
      el("summary", {}, "All steps in words"),
      sentences(season, n, list),
    );
    return [heading, parts, more];
  }

  F.picture = { listParts, shownRating };
})((globalThis.Fairpair = globalThis.Fairpair || {}));
