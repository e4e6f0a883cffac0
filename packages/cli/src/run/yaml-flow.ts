// A value of YAML that stands on one line: a text, a number, or lists and maps in brackets.

const MAX_DEPTH = 50;

/** `refuse` throws. */
export function readFlow(text: string, refuse: (problem: string) => never): unknown {
  return new Flow(text, refuse).whole();
}

class Flow {
  readonly #text: string;
  readonly #refuse: (problem: string) => never;
  #at = 0;

  constructor(text: string, refuse: (problem: string) => never) {
    this.#text = text;
    this.#refuse = refuse;
  }

  whole(): unknown {
    const first = this.#text.charAt(0);
    if (!"\"'[{".includes(first)) return this.#plain(this.#text.replace(/(?<=\s)#.*$/, "").trim());
    const value = this.#value(0);
    const rest = this.#text.slice(this.#at).trim();
    if (rest !== "" && !rest.startsWith("#")) this.#refuse("something follows the end of the value");
    return value;
  }

  #value(depth: number): unknown {
    this.#skip();
    if (depth > MAX_DEPTH) this.#refuse("it is nested too deep");
    switch (this.#text.charAt(this.#at)) {
      case '"':
        return this.#double();
      case "'":
        return this.#single();
      case "[":
        return this.#list(depth);
      case "{":
        return this.#map(depth);
      default: {
        const [word = ""] = /^[^,\]}]*/.exec(this.#text.slice(this.#at)) ?? [];
        this.#at += word.length;
        return this.#plain(word.trim());
      }
    }
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#skip();
      if (this.#take("]")) return list;
      list.push(this.#value(depth + 1));
      this.#skip();
      if (!this.#take(",") && this.#text.charAt(this.#at) !== "]") this.#refuse("a [ is not closed on its line");
    }
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.#at++;
    for (;;) {
      this.#skip();
      if (this.#take("}")) return map;
      const key = this.#key();
      if (key === "__proto__" || Object.hasOwn(map, key)) this.#refuse(`"${key}" cannot be used here`);
      map[key] = this.#value(depth + 1);
      this.#skip();
      if (!this.#take(",") && this.#text.charAt(this.#at) !== "}") this.#refuse("a { is not closed on its line");
    }
  }

  #key(): string {
    const quote = this.#text.charAt(this.#at);
    let key: string;
    if (quote === '"') key = this.#double();
    else if (quote === "'") key = this.#single();
    else {
      [key = ""] = /^[A-Za-z_][\w.-]*/.exec(this.#text.slice(this.#at)) ?? [];
      this.#at += key.length;
    }
    this.#skip();
    if (key === "" || !this.#take(":")) this.#refuse("a { … } is made of NAME: VALUE");
    return key;
  }

  #double(): string {
    const [quoted] = /^"(?:[^"\\]|\\.)*"/.exec(this.#text.slice(this.#at)) ?? [];
    if (quoted === undefined) return this.#refuse('a " is not closed on its line');
    this.#at += quoted.length;
    try {
      return JSON.parse(quoted.replaceAll("\t", "\\t"));
    } catch {
      return this.#refuse("a quoted text has an escape that is not understood");
    }
  }

  #single(): string {
    const [quoted] = /^'(?:[^']|'')*'/.exec(this.#text.slice(this.#at)) ?? [];
    if (quoted === undefined) return this.#refuse("a ' is not closed on its line");
    this.#at += quoted.length;
    return quoted.slice(1, -1).replaceAll("''", "'");
  }

  #plain(word: string): unknown {
    if (/^[&*!|>%@`]/.test(word)) this.#refuse(`a value cannot begin with ${word.charAt(0)}; put it in quotes`);
    if (/:\s/.test(word)) this.#refuse('a text with ": " in it has to be in quotes');
    if (word === "" || word === "~" || /^null$/i.test(word)) return null;
    if (/^(true|false)$/i.test(word)) return word.toLowerCase() === "true";
    return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word) ? Number(word) : word;
  }

  #take(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
  }
}
