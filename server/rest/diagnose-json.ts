/**
 * What is wrong with a JSON text, and where. JSON.parse says neither reliably: its messages contain parts of the text,
 * often no position, and it accepts duplicate names. This is the slow path, only for refused texts.
 */
export interface JsonFault {
  kind: "syntax" | "duplicate" | "encoding";
  /** Offset in UTF-16 units. */
  position: number;
  detail: string;
}

const WHITESPACE = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Everything up to the closing quote, an escape or an invalid character.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /[0-9a-fA-F]{4}/y;
const SHORT_ESCAPES = '"\\/bfnrt';
const LITERALS = ["true", "false", "null"] as const;

class Fault extends Error {
  readonly kind: JsonFault["kind"];
  readonly position: number;
  constructor(kind: JsonFault["kind"], position: number, detail: string) {
    super(detail);
    this.kind = kind;
    this.position = position;
  }
}

/** A name for error messages: long ones are cut. */
export function shownName(name: string): string {
  const short = name.length > 64 ? `${name.slice(0, 61)}…` : name;
  return JSON.stringify(short.toWellFormed());
}

interface Frame {
  /** Names seen so far; undefined in an array. */
  names: Set<string> | undefined;
}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Walks the whole text without recursion; throws a Fault at the first error. */
  read(): void {
    const frames: Frame[] = [];
    for (;;) {
      // A value is expected.
      this.skip(WHITESPACE);
      const character = this.text[this.at];
      if (character === "{") {
        this.at++;
        this.skip(WHITESPACE);
        if (this.text[this.at] === "}") {
          this.at++;
        } else {
          const names = new Set<string>();
          frames.push({ names });
          this.name(names);
          continue;
        }
      } else if (character === "[") {
        this.at++;
        this.skip(WHITESPACE);
        if (this.text[this.at] === "]") {
          this.at++;
        } else {
          frames.push({ names: undefined });
          continue;
        }
      } else {
        this.scalar(character);
      }
      if (this.afterValue(frames)) return;
    }
  }

  /** Closes what ends here; true at the end of the text. */
  private afterValue(frames: Frame[]): boolean {
    for (;;) {
      this.skip(WHITESPACE);
      const frame = frames.at(-1);
      const character = this.text[this.at];
      if (!frame) {
        if (character === undefined) return true;
        throw this.unexpected("the end of the text");
      }
      if (character === ",") {
        this.at++;
        if (frame.names) {
          this.skip(WHITESPACE);
          this.name(frame.names);
        }
        return false;
      }
      if (character !== (frame.names ? "}" : "]"))
        throw this.unexpected(frame.names ? '"," or "}"' : '"," or "]"');
      this.at++;
      frames.pop();
    }
  }

  private name(names: Set<string>): void {
    const start = this.at;
    if (this.text[this.at] !== '"') throw this.unexpected("a name in double quotes");
    const name = this.string();
    if (names.has(name)) {
      throw new Fault(
        "duplicate",
        start,
        `The name ${shownName(name)} stands more than once in the same object.`,
      );
    }
    names.add(name);
    this.skip(WHITESPACE);
    if (this.text[this.at] !== ":") throw this.unexpected('":"');
    this.at++;
  }

  private scalar(character: string | undefined): void {
    if (character === '"') {
      this.string();
      return;
    }
    const literal = LITERALS.find((word) => this.text.startsWith(word, this.at));
    if (literal) this.at += literal.length;
    else if (!this.skip(NUMBER)) throw this.unexpected("a value");
  }

  private string(): string {
    const start = this.at;
    let value = "";
    this.at++;
    for (;;) {
      const from = this.at;
      this.skip(PLAIN);
      value += this.text.slice(from, this.at);
      const character = this.text[this.at];
      if (character === '"') {
        this.at++;
        break;
      }
      if (character === "\\") value += this.escape();
      else if (character === undefined)
        throw new Fault("syntax", start, "The string that starts here does not end.");
      else throw new Fault("syntax", this.at, "A control character in a string must be escaped.");
    }
    if (value.includes("\0")) throw new Fault("encoding", start, "The string holds a NUL character.");
    if (!value.isWellFormed()) {
      throw new Fault("encoding", start, "The string holds half of a surrogate pair.");
    }
    return value;
  }

  private escape(): string {
    const start = this.at;
    const kind = this.text[this.at + 1] ?? "";
    this.at += 2;
    if (kind === "u") {
      const from = this.at;
      if (this.skip(HEX)) return String.fromCharCode(Number.parseInt(this.text.slice(from, this.at), 16));
    } else if (kind !== "" && SHORT_ESCAPES.includes(kind)) {
      return JSON.parse(`"\\${kind}"`) as string;
    }
    throw new Fault("syntax", start, "The escape sequence is not one of JSON's.");
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += found;
    return found > 0;
  }

  private unexpected(wanted: string): Fault {
    const ended = this.at >= this.text.length;
    return new Fault(
      "syntax",
      this.at,
      ended ? `The text ends where ${wanted} should stand.` : `Here ${wanted} should stand.`,
    );
  }
}

/** The first fault of a JSON text, or null when it is valid, without duplicate names and storable. Linear time. */
export function diagnoseJson(text: string): JsonFault | null {
  try {
    new Reader(text).read();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: error.kind, position: error.position, detail: error.message };
  }
}
