/* What can be wrong with a file, and JSON read strictly: no key twice, no NaN, a whole number told from a decimal one. */
((F) => {
  "use strict";

  const LONGEST = 300;

  /* A sentence in one line that can be read, whatever names and keys of a file stand in it. */
  function oneLine(text) {
    const line = text.slice(0, 2 * LONGEST).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
    const signs = Array.from(line);
    return signs.length > LONGEST || text.length > 2 * LONGEST ? `${signs.slice(0, LONGEST - 1).join("")}…` : line;
  }

  /* The file breaks the format (exit code 2). */
  class Invalid extends Error {
    constructor(message) {
      super(oneLine(message));
    }
  }

  /* The rules give no answer to this (exit code 1). */
  class Impossible extends Error {}

  Object.assign(F, { Invalid, Impossible });

  const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  const PLAIN = /[^"\\\u0000-\u001f]*/y;
  const SPACE = /[ \t\n\r]*/y;
  const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
  const WORDS = { true: true, false: false, null: null };
  const DEEPEST = 100;

  /* A number with a fraction or an exponent. */
  class Decimal {
    constructor(value) {
      this.value = value;
    }
  }

  function readJson(text) {
    let at = 0;

    function broken(what) {
      const before = text.slice(0, at).split("\n");
      throw new F.Invalid(`line ${before.length}, column ${before.at(-1).length + 1}: ${what}`);
    }
    function take(pattern) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at = pattern.lastIndex;
      return found;
    }
    function expect(sign) {
      take(SPACE);
      if (text[at] !== sign) broken(`expected ${sign}`);
      at += 1;
    }
    function next(sign) {
      take(SPACE);
      if (text[at] !== sign) return false;
      at += 1;
      return true;
    }
    function skip(sign) {
      if (text[at] !== sign) return false;
      at += 1;
      return true;
    }
    function string() {
      expect('"');
      let read = "";
      for (;;) {
        read += take(PLAIN)[0];
        if (skip('"')) return read;
        if (!skip("\\")) broken("a text doesn't end");
        const sign = text[at];
        at += 1;
        if (sign in ESCAPES) read += ESCAPES[sign];
        else if (sign === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at, at + 4))) {
          read += String.fromCharCode(parseInt(text.slice(at, at + 4), 16));
          at += 4;
        } else broken("a backslash with no meaning");
      }
    }
    function value(depth) {
      if (depth > DEEPEST) broken("nested too deeply");
      take(SPACE);
      const sign = text[at];
      if (sign === '"') return string();
      if (sign === "{") return object(depth);
      if (sign === "[") return list(depth);
      for (const word of Object.keys(WORDS)) {
        if (text.startsWith(word, at)) {
          at += word.length;
          return WORDS[word];
        }
      }
      const found = take(NUMBER);
      if (!found || !found[0]) broken("expected a value");
      const number = Number(found[0]);
      if (!Number.isFinite(number)) broken("a number too large");
      if (found[1] !== undefined || found[2] !== undefined) return new Decimal(number);
      if (!Number.isSafeInteger(number)) return new Decimal(number);
      return number;
    }
    function object(depth) {
      expect("{");
      const read = new Map();
      if (next("}")) return read;
      do {
        take(SPACE);
        const key = string();
        if (read.has(key)) broken(`the key ${JSON.stringify(key)} stands twice`);
        expect(":");
        read.set(key, value(depth + 1));
      } while (next(","));
      expect("}");
      return read;
    }
    function list(depth) {
      expect("[");
      const read = [];
      if (next("]")) return read;
      do read.push(value(depth + 1));
      while (next(","));
      expect("]");
      return read;
    }

    if (text.startsWith("\ufeff")) broken("a byte order mark before the text: save the file as UTF-8 without it");
    const read = value(0);
    take(SPACE);
    if (at < text.length) broken("text after the end");
    return read;
  }

  /* The text of a file's bytes, which must be UTF-8. */
  function decoded(bytes) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new F.Invalid("is not UTF-8 text");
    }
  }

  Object.assign(F, { Decimal, decoded, readJson });
})((globalThis.Fairpair = globalThis.Fairpair || {}));
