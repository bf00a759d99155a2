/* A value of a league file with the place where it stands, and what it is read as. */
((F) => {
  "use strict";

  const HEX = /^[0-9a-f]{64}$/;

  class Node {
    constructor(value, path) {
      this.value = value;
      this.path = path;
    }

    wrong(what) {
      throw new F.Invalid(`${this.path || "the file"}: ${what}`);
    }

    at(key) {
      return new Node(this.value.get(key), this.path ? `${this.path}.${key}` : key);
    }

    has(key) {
      return this.value.has(key) && this.value.get(key) !== null;
    }

    object(known) {
      if (!(this.value instanceof Map)) this.wrong("must be an object");
      for (const key of this.value.keys()) if (!known.includes(key)) this.wrong(`unknown field ${JSON.stringify(key)}`);
      return this;
    }

    list() {
      if (!Array.isArray(this.value)) this.wrong("must be a list");
      return this.value.map((value, i) => new Node(value, `${this.path}[${i}]`));
    }

    text() {
      if (typeof this.value !== "string") this.wrong("must be a text");
      if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(this.value)) {
        this.wrong("holds half a character");
      }
      return this.value;
    }

    name() {
      const name = this.text().normalize("NFC");
      if (!name) this.wrong("must not be empty");
      if (name === "draw") this.wrong("nobody can be called draw");
      return name;
    }

    whole(least, most) {
      const { value } = this;
      if (!Number.isInteger(value) || value < least || value > most)
        this.wrong(`must be a whole number from ${least} to ${most}`);
      return value;
    }

    /* The number of a round. */
    round() {
      return this.whole(1, 1000);
    }

    number(least = -1e308, most = 1e308) {
      const value = this.value instanceof F.Decimal ? this.value.value : this.value;
      if (typeof value !== "number" || value < least || value > most)
        this.wrong(`must be a number from ${least} to ${most}`);
      return value;
    }

    yes() {
      if (typeof this.value !== "boolean") this.wrong("must be true or false");
      return this.value;
    }

    among(words) {
      if (!words.includes(this.value)) this.wrong(`must be one of ${words.join(", ")}`);
      return this.value;
    }

    /* Two of a kind, in their order. */
    two(read) {
      const values = this.list().map(read);
      if (values.length !== 2) this.wrong("must be two values");
      return values;
    }

    hex() {
      if (!HEX.test(this.text())) this.wrong("must be 64 hexadecimal digits in lower case");
      return this.value;
    }

    /* What is read where the field is there; null is refused like any other value. */
    given(missing, read) {
      return this.value === undefined ? missing : read(this);
    }

    /* What is read where the field is there and not null. */
    or(missing, read) {
      return this.value === undefined || this.value === null ? missing : read(this);
    }
  }

  F.Node = Node;
})((globalThis.Fairpair = globalThis.Fairpair || {}));
