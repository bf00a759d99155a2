/* The settings of a season in a league file: which a format has, what each may be, and what is meant where one is missing. */
((F) => {
  "use strict";

  const SWISS = ["keyforge-swiss", "lightseekers-swiss"];
  const ROBIN = "round-robin";
  const DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday";
  const MOMENT = new RegExp(`^(?:${DAYS})\\s+(?:[01]?[0-9]|2[0-3]):[0-5][0-9]$`, "i");
  const MOST = 1e6; // of ratings and what goes with them
  const LEAST = 1e-6; // of what something is divided by

  const wholeOr = (missing, least, most) => (node) => node.or(missing, () => node.whole(least, most));
  const whole = (missing, least, most) => (node) => node.given(missing, () => node.whole(least, most));
  const oneOf =
    (...words) =>
    (node) =>
      node.given(words[0], () => node.among(words));
  const oneOrNone =
    (...words) =>
    (node) =>
      node.or(null, () => node.among(words));
  const yes = (missing) => (node) => node.given(missing, () => node.yes());
  const ignored = () => undefined;

  function readRating(node, scale) {
    if (node.value === undefined || node.value === null) return { mu: scale.mu, sigma: scale.sigma };
    node.object(["mu", "sigma"]);
    return { mu: node.at("mu").number(-MOST, MOST), sigma: node.at("sigma").number(LEAST, MOST) };
  }

  const SCALE = {
    mu: [25, -MOST, MOST],
    sigma: [25 / 3, LEAST, MOST],
    beta: [25 / 6, LEAST, MOST],
    tau: [25 / 300, 0, MOST],
    draw_probability: [0, 0, 0.99],
  };

  function readScale(node) {
    if (node.value !== undefined) node.object(Object.keys(SCALE));
    const read = ([key, [missing, least, most]]) => [
      key,
      node.value?.has(key) ? node.at(key).number(least, most) : missing,
    ];
    return Object.fromEntries(Object.entries(SCALE).map(read));
  }

  function readPoints(node, points = { win: 1, draw: 0, loss: 0, bye: 1 }) {
    if (node.value === undefined) return points;
    node.object(Object.keys(points));
    for (const key of Object.keys(points)) if (node.value.has(key)) points[key] = node.at(key).whole(0, 100);
    const { win, draw, loss } = points;
    if (!(win > loss && win >= draw && draw >= loss))
      node.wrong("a win must be worth more than a loss, a draw no more than a win and no less than a loss");
    return points;
  }

  const TIEBREAKS = ["head-to-head", "difference", "scored", "sonneborn-berger", "wins"];

  function readTiebreaks(node) {
    const keys = node.given(TIEBREAKS.slice(0, 4), () => node.list().map((key) => key.among(TIEBREAKS)));
    if (new Set(keys).size < keys.length) node.wrong("names a tie-break twice");
    return keys;
  }

  /* Nothing is computed from the lists, but what stands there must be what the format has. */
  function readLists(node) {
    if (node.value === null || node.value === undefined) return;
    node.object(["number", "per", "due_hours", "secret"]);
    whole(1, 1, 5)(node.at("number"));
    oneOf("season", "round")(node.at("per"));
    whole(0, 0, 336)(node.at("due_hours"));
    oneOf("due", "round 1", "match", "end")(node.at("secret"));
  }

  function readMoment(node) {
    if (node.or(null, () => node.text()) !== null && !MOMENT.test(node.value.trim()))
      node.wrong("must be a day of the week and a time, such as sunday 21:00");
  }

  function readSalt(node) {
    const salt = node.or(null, () => node.text());
    if (salt !== null && (salt === "" || Array.from(salt).length > 64))
      node.wrong("must be 1 to 64 characters, or null");
    return salt;
  }

  const bestOf = (node) =>
    node.given(null, () => {
      if (node.whole(1, 9) % 2 === 0) node.wrong("must be an odd number");
      return node.value;
    });

  const ALL = {
    best_of: bestOf,
    finals_best_of: bestOf,
    final_best_of: bestOf,
    rejoin: oneOf("ask", "free", "never"),
    late_entry: whole(2, 1, 50),
    replace: yes(true),
    no_show: oneOf("drop", "forfeit"),
    rating: readScale,
    salt: readSalt,
    game: oneOrNone("keyforge", "lightseekers"),
    variant: oneOrNone(
      "archon",
      "sealed",
      "starter-deck",
      "booster-draft",
      "basic-constructed",
      "advanced-constructed",
    ),
    pace: oneOf("days", "live"),
    scores: yes(false),
    dice_off: oneOf("off", "draw", "equalizer"),
    lists: readLists,
    match_places: oneOf("card", "threads", "private"),
    check_in_hours: whole(0, 0, 168),
    round_ends: readMoment,
    advance: oneOf("all-in", "deadline", "manual"),
    overdue: oneOf("moderators", "double_loss", "extend"),
    round_days: whole(7, 1, 365),
    confirm_hours: whole(24, 1, 336),
    claim_hours: ignored, // gone since version 0.3
    accept_hours: ignored,
    max_players: wholeOr(null, 2, 100_000),
  };

  /* What only some formats have. */
  const SOME = {
    rounds: [wholeOr(null, 1, 50), ["ohs", ...SWISS]],
    cut: [wholeOr(null, 0, 64), ["ohs", "two-loss-out", ROBIN, ...SWISS]],
    losses: [whole(2, 1, 5), ["two-loss-out"]],
    bye_among: [oneOf("all", "lowest"), ["ohs"]],
    points: [(node) => readPoints(node), ["keyforge-swiss", ROBIN]],
    draws: [yes(false), ["keyforge-swiss", ROBIN]],
    meetings: [whole(1, 1, 2), [ROBIN]],
    group_size: [wholeOr(null, 3, 100_000), [ROBIN]],
    grouping: [oneOf("drawn", "rating", "divisions", "given"), [ROBIN]],
    through: [wholeOr(null, 1, 1000), [ROBIN]],
    schedule: [oneOf("rounds", "open"), [ROBIN]],
    tiebreaks: [readTiebreaks, [ROBIN]],
    moves: [whole(2, 0, 100_000), [ROBIN]],
    seeding: [oneOf("drawn", "seeded"), ["single-elimination"]],
    third_place: [yes(false), ["single-elimination"]],
  };

  function readSettings(node, format) {
    const has = (key) =>
      (key in ALL && !(key === "replace" && format === ROBIN)) ||
      format === "record" ||
      Boolean(SOME[key]?.[1].includes(format));
    const known = [...Object.keys(ALL), ...Object.keys(SOME)];
    node.object(known.filter(has));
    const settings = Object.fromEntries(known.map((key) => [key, (ALL[key] ?? SOME[key][0])(node.at(key))]));
    const { cut } = settings;
    if ([...SWISS, ROBIN].includes(format) && cut === 1) node.at("cut").wrong("one player is no bracket");
    if (format === "keyforge-swiss" && cut && !Number.isInteger(Math.log2(cut)))
      node.at("cut").wrong("doesn't fill a bracket");
    if (format === "single-elimination" || format === "two-loss-out") {
      if (settings.rejoin === "free") node.at("rejoin").wrong("nobody comes back in this format: it is never");
      settings.rejoin = "never";
    }
    if (format === ROBIN) readRobin(node, settings);
    if (format === "single-elimination") {
      if (node.has("late_entry") && settings.late_entry !== 1)
        node.at("late_entry").wrong("nobody enters a bracket after round 1: it is 1");
      settings.late_entry = 1;
    }
    return settings;
  }

  /* Nobody comes late or back; without `points` a season with draws counts 3, 1, 0. */
  function readRobin(node, settings) {
    if (node.has("late_entry") && settings.late_entry !== 1)
      node.at("late_entry").wrong("nobody enters after the start: it is 1");
    if (node.has("rejoin") && settings.rejoin !== "never")
      node.at("rejoin").wrong("nobody comes back in this format: it is never");
    if (settings.cut !== null && settings.through !== null)
      node.at("cut").wrong("the finals have a cut or so many through from each group, not both");
    const [win, draw] = settings.draws ? [3, 1] : [1, 0];
    const points = readPoints(node.at("points"), { win, draw, loss: 0, bye: 0 });
    Object.assign(settings, { late_entry: 1, rejoin: "never", points });
  }

  /* Of how many games a match is at most: null where the file doesn't say and the format means nothing else. */
  function mostGames({ format, settings }, key) {
    if (settings[key] !== null) return settings[key];
    if (format === "lightseekers-swiss") return 3;
    if (format === "two-loss-out") return { best_of: null, finals_best_of: 1, final_best_of: 3 }[key];
    return format === "single-elimination" && settings.best_of > 1 ? settings.best_of : null;
  }

  Object.assign(F, { mostGames, readRating, readSettings });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
