/* Exact numbers: fractions of BigInt, values rounded to 9 decimals, sums without rounding, the normal distribution. */
((F) => {
  "use strict";

  const SCALE = 1074n; // every finite double is a whole multiple of 2 ** -1074

  function gcd(a, b) {
    while (b) [a, b] = [b, a % b];
    return a < 0n ? -a : a;
  }

  /* A fraction in lowest terms; its denominator is above zero. */
  class Fraction {
    constructor(top, bottom = 1n) {
      top = BigInt(top);
      bottom = BigInt(bottom);
      const shared = gcd(top, bottom) || 1n;
      const sign = bottom < 0n ? -1n : 1n;
      this.top = (sign * top) / shared;
      this.bottom = (sign * bottom) / shared;
    }

    plus(other) {
      return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
    }

    times(other) {
      return new Fraction(this.top * other.top, this.bottom * other.bottom);
    }

    compare(other) {
      const difference = this.top * other.bottom - other.top * this.bottom;
      return difference < 0n ? -1 : difference > 0n ? 1 : 0;
    }

    toString() {
      return this.bottom === 1n ? String(this.top) : `${this.top}/${this.bottom}`;
    }

    valueOf() {
      return quotient(this.top, this.bottom);
    }
  }

  /* The double nearest to a quotient of whole numbers, ties to even. */
  function quotient(top, bottom) {
    if (top < 0n) return -quotient(-top, bottom);
    if (top === 0n) return 0;
    const length = (n) => n.toString(2).length;
    const shift = BigInt(Math.max(0, 66 - (length(top) - length(bottom))));
    const scaled = (top << shift) / bottom;
    const rest = (top << shift) % bottom ? 1n : 0n; // a last bit that says whether something was cut off
    return Number((scaled << 1n) | rest) / Number(2n ** (shift + 1n));
  }

  /* A double as a whole number of 2 ** -1074. */
  function exactly(x) {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, x);
    const raw = bits.getBigUint64(0);
    const exponent = (raw >> 52n) & 0x7ffn;
    const mantissa = raw & 0xfffffffffffffn;
    const size = exponent ? (mantissa | 0x10000000000000n) << (exponent - 1n) : mantissa;
    return raw >> 63n ? -size : size;
  }

  /* A double in whole billionths, halves to even: how ratings and OHS's strength of schedule are compared. */
  function nano(x) {
    const scaled = exactly(x) * 1000000000n;
    const size = scaled < 0n ? -scaled : scaled;
    let whole = size >> SCALE;
    const rest = size - (whole << SCALE);
    const half = 1n << (SCALE - 1n);
    if (rest > half || (rest === half && whole & 1n)) whole += 1n;
    return scaled < 0n ? -whole : whole;
  }

  /* The mean of doubles: their exact sum, rounded once, divided by their number. */
  function mean(values) {
    let sum = 0n;
    for (const value of values) sum += exactly(value);
    return quotient(sum, 1n << SCALE) / values.length;
  }

  /* The error function to about 1e-16: a series of terms above zero, and 1 where nothing is left of the rest. */
  function erf(x) {
    if (x < 0) return -erf(-x);
    if (x > 6) return 1;
    let term = x;
    let sum = 0;
    for (let n = 0; sum + term !== sum; n += 1) {
      sum += term;
      term *= (2 * x * x) / (2 * n + 3);
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }

  /* The share of a normal distribution (mean 0, deviation 1) below x. */
  function phi(x) {
    return 0.5 * (1 + erf(x / Math.SQRT2));
  }

  Object.assign(F, { Fraction, exactly, mean, nano, phi, quotient });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
