/* SHA-256 (FIPS 180-4) of a text in UTF-8, for pages where the browser gives none. */
((F) => {
  "use strict";

  /* The first 32 bits of the fractional part of a root of a prime: BigInt, so no digit is lost. */
  function rootBits(prime, power) {
    const wanted = BigInt(prime) << BigInt(32 * power);
    let low = 0n;
    let high = 1n << 40n;
    while (low < high) {
      const middle = (low + high + 1n) >> 1n;
      if (middle ** BigInt(power) <= wanted) low = middle;
      else high = middle - 1n;
    }
    return Number(low & 0xffffffffn);
  }

  const PRIMES = [];
  for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
  const START = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2));
  const STEPS = PRIMES.map((prime) => rootBits(prime, 3));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));

  function sha256(text) {
    const message = new TextEncoder().encode(text);
    const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
    bytes.set(message);
    bytes[message.length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
    const hash = START.slice();
    const words = new Int32Array(64);
    for (let at = 0; at < bytes.length; at += 64) {
      for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const early = words[i - 15];
        const late = words[i - 2];
        const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
        const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
        words[i] = words[i - 16] + small + words[i - 7] + large;
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i += 1) {
        const choice = (e & f) ^ (~e & g);
        const majority = (a & b) ^ (a & c) ^ (b & c);
        const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + STEPS[i] + words[i]) | 0;
        const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] = (hash[i] + value) | 0));
    }
    return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  F.sha256 = sha256;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
