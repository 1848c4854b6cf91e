import { trimTrailing } from "../kernel/trim-trailing.ts";

/** A piece of one of the answer's texts. */
export interface DraftPiece {
  field: "subject" | "body";
  text: string;
}

// Leading space is dropped.
const subjectLine = /^(?:`{3,}[a-z]*[ \t\r]*\n[ \t\r\n]*)?\**subject\**[ \t]*:\**[ \t]*/i;
const opening = /^\s*(?:`{3,}[a-z]*[ \t]*\r?\n)?\s*/i;
/** What may still become the subject line, or a fence. */
const maxHead = 64;

/**
 * Splits a model's answer while it arrives. An e-mail is answered in mail's own format: a line `Subject: …`, an empty
 * line, and the body. The end of a line is known as soon as it arrives, and cannot be mistaken for anything in a body
 * of HTML or MJML, as tags around the parts could be. A Markdown block around the text, which some models insist on, is
 * removed.
 */
export class DraftReader {
  private state: "start" | "subject" | "gap" | "body";
  /** Received, but not yet decided. */
  private held = "";
  private fenced = false;
  private subjectText: string | null = null;
  private bodyText = "";

  constructor(options: { subject: boolean }) {
    this.state = options.subject ? "start" : "gap";
  }

  /** The subject as far as it is known; null: the answer has none. */
  get subject(): string | null {
    return this.subjectText;
  }

  get body(): string {
    return this.bodyText;
  }

  /** Adds the next chunk of the answer; returns what is certain by now. */
  push(text: string): DraftPiece[] {
    this.held += text;
    return this.advance(false);
  }

  /** The answer is complete; returns what was held back. */
  end(): DraftPiece[] {
    return this.advance(true);
  }

  private advance(last: boolean): DraftPiece[] {
    const pieces: DraftPiece[] = [];
    for (let before = ""; before !== this.state;) {
      before = this.state;
      if (this.state === "start") this.readStart(last);
      if (this.state === "subject") this.readSubject(last, pieces);
      if (this.state === "gap") this.readGap(last);
      if (this.state === "body") this.readBody(last, pieces);
    }
    return pieces;
  }

  private readStart(last: boolean): void {
    const text = this.held.trimStart();
    const match = subjectLine.exec(text.slice(0, 4 * maxHead));
    if (match && match[0].length < text.length) {
      this.fenced = match[0].includes("```");
      this.held = text.slice(match[0].length);
      this.subjectText = "";
      this.state = "subject";
      return;
    }
    if (last || this.held.trimStart().length > maxHead) this.state = "gap";
  }

  private readSubject(last: boolean, pieces: DraftPiece[]): void {
    const line = this.held.indexOf("\n");
    const known = line >= 0 ? this.held.slice(0, line) : this.held;
    // Spaces and Markdown stars may end the line.
    const sure = line >= 0 || last ? known.trimEnd() : trimTrailing(known, " \t\r*");
    if (sure !== "") {
      this.subjectText = (this.subjectText ?? "") + sure;
      pieces.push({ field: "subject", text: sure });
    }
    this.held = this.held.slice(sure.length);
    if (line < 0) return;
    this.held = this.held.slice(this.held.indexOf("\n") + 1);
    this.state = "gap";
  }

  private readGap(last: boolean): void {
    const trimmed = this.held.trimStart();
    // A fence is recognised when its line is complete.
    const undecided = trimmed === "" || (/^`{1,3}[a-z]*[ \t\r]*$/i.test(trimmed) && trimmed.length < maxHead);
    if (undecided && !last) return;
    const head = opening.exec(this.held)?.[0] ?? "";
    this.fenced ||= head.includes("```");
    this.held = this.held.slice(head.length);
    this.state = "body";
  }

  private readBody(last: boolean, pieces: DraftPiece[]): void {
    // Spaces and backquotes may belong to a closing fence, which is not part of the text.
    let sure = trimTrailing(this.held, this.fenced ? " \t\r\n`" : " \t\r\n");
    if (last && this.fenced) {
      const whole = this.held.trimEnd();
      sure = whole.endsWith("```") ? trimTrailing(whole, "`").trimEnd() : whole;
    }
    this.held = last ? "" : this.held.slice(sure.length);
    if (sure === "") return;
    this.bodyText += sure;
    pieces.push({ field: "body", text: sure });
  }
}
