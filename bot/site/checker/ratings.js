/* TrueSkill between two people, with the approximations of the package `trueskill` 0.4.5, which are part of its answers. */
((F) => {
  "use strict";

  const DENSITY = 1 / Math.sqrt(2 * Math.PI);
  /* The published polynomial for erfc with an error of at most 1.2e-7, highest power last. */
  const ERFC = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];

  function erfc(x) {
    const size = Math.abs(x);
    const t = 1 / (1 + size / 2);
    const exponent = ERFC.reduceRight((sum, coefficient) => sum * t + coefficient, 0) - size * size;
    const tail = t * Math.exp(exponent);
    return x < 0 ? 2 - tail : tail;
  }

  /* The inverse of erfc: a first guess and two steps of Newton. */
  function inverseErfc(y) {
    if (y >= 2) return -100;
    if (y <= 0) return 100;
    const mirrored = y >= 1;
    const target = mirrored ? 2 - y : y;
    const t = Math.sqrt(-2 * Math.log(target / 2));
    let x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
    for (let step = 0; step < 2; step += 1) {
      const error = erfc(x) - target;
      x += error / (1.1283791670955126 * Math.exp(-(x * x)) - x * error);
    }
    return mirrored ? -x : x;
  }

  const below = (x) => 0.5 * erfc(-x / Math.SQRT2);
  const density = (x) => DENSITY * Math.exp(-(x * x) / 2);

  function won(difference, margin) {
    const x = difference - margin;
    const share = below(x);
    const v = share ? density(x) / share : -x;
    const w = v * (v + x);
    if (!(w > 0 && w < 1)) throw new F.Impossible("These two ratings are too far apart to be computed.");
    return [v, w];
  }

  function drew(difference, margin) {
    const size = Math.abs(difference);
    const a = margin - size;
    const b = -margin - size;
    const share = below(a) - below(b);
    if (!share) throw new F.Impossible("These two ratings are too far apart to be computed.");
    const v = (density(b) - density(a)) / share;
    return [difference < 0 ? -v : v, v * v + (a * density(a) - b * density(b)) / share];
  }

  /* The ratings of two people after a match the first won, or that was drawn. */
  function rate(winner, loser, drawn, scale) {
    const margin = -Math.SQRT2 * inverseErfc(scale.draw_probability + 1) * Math.SQRT2 * scale.beta;
    const variances = [winner, loser].map(({ sigma }) => sigma * sigma + scale.tau * scale.tau);
    const total = variances[0] + variances[1] + 2 * scale.beta * scale.beta;
    const spread = Math.sqrt(total);
    const [v, w] = (drawn ? drew : won)((winner.mu - loser.mu) / spread, margin / spread);
    const after = [winner, loser].map(({ mu }, i) => ({
      mu: mu + ((i ? -1 : 1) * variances[i] * v) / spread,
      sigma: Math.sqrt(variances[i] * (1 - (w * variances[i]) / total)),
    }));
    if (!after.every(({ sigma }) => sigma > 0))
      throw new F.Impossible("These two ratings are too far apart to be computed.");
    return after;
  }

  /* What the ranking compares, in whole billionths: mu less three sigma. */
  const exposure = ({ mu, sigma }) => F.nano(mu - 3 * sigma);

  Object.assign(F, { exposure, rate });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
