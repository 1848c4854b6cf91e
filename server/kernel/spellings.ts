import { domainToUnicode } from "node:url";
import { erasedText } from "./erased.ts";
import { isUserId } from "./user-id.ts";

/**
 * Finds addresses in texts, however they are written there: e-mail addresses in any case, percent-encoded or as HTML entities;
 * numbers with and without country code, plus, zeros, blanks and hyphens; WhatsApp user ids as they are. Time grows with the length of the text.
 */
export class Spellings {
  /** Of e-mail addresses: domain → the forms of the local parts. All in lower case. */
  private readonly mails = new Map<string, Lengths>();
  private readonly domains = new Set<number>();
  /** Digits of numbers, by how many there are. */
  private readonly digits = new Map<number, Set<string>>();
  private readonly userIds = new Set<string>();
  /** "0" and the number without its country code. */
  private readonly national = new Set<string>();
  private readonly instead: string;

  /**
   * @param addresses as they are stored; `callingCode` of a number: how many of its digits are the country's
   * @param instead what stands there afterwards
   */
  constructor(addresses: readonly { address: string; callingCode?: number }[], instead: string = erasedText) {
    this.instead = instead;
    for (const { address, callingCode } of addresses) {
      const at = address.lastIndexOf("@");
      if (at >= 0) {
        const local = address.slice(0, at).toLowerCase();
        const domain = address.slice(at + 1).toLowerCase();
        // As DNS has it, and as people write it.
        for (const name of new Set([domain, domainToUnicode(domain) || domain])) {
          const locals = this.mails.get(name) ?? new Lengths();
          this.mails.set(name, locals);
          this.domains.add(name.length);
          for (const form of [local, encodeURIComponent(local).toLowerCase(), local.replaceAll("+", "%2b")]) {
            locals.add(form);
          }
        }
        continue;
      }
      if (isUserId(address)) {
        this.userIds.add(address);
        continue;
      }
      const digits = address.replaceAll(/\D/g, "");
      if (digits.length < 7) continue;
      const known = this.digits.get(digits.length) ?? new Set<string>();
      this.digits.set(digits.length, known.add(digits));
      if (callingCode !== undefined && digits.length - callingCode >= 6) {
        this.national.add(`0${digits.slice(callingCode)}`);
      }
    }
  }

  /** The text without the addresses; the same text when it has none. */
  scrub(text: string): string {
    return this.scrubNumbers(this.scrubUserIds(this.scrubMails(text)));
  }

  /** As scrub, for every text in a JSON value, names included; the same value when there is none. */
  scrubJson(value: unknown): unknown {
    if (typeof value === "string") return this.scrub(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.scrubJson(item));
      return items.some((item, index) => item !== value[index]) ? items : (value as unknown);
    }
    if (typeof value === "object" && value !== null) {
      const before = Object.entries(value);
      const after = before.map(([name, item]) => [this.scrub(name), this.scrubJson(item)] as const);
      const same = after.every(
        ([name, item], index) => name === before[index]?.[0] && item === before[index][1],
      );
      return same ? value : Object.fromEntries(after);
    }
    // A number may be written without quotes.
    if (typeof value === "number" && this.scrubNumbers(String(value)) !== String(value)) return this.instead;
    return value;
  }

  private scrubMails(text: string): string {
    if (this.mails.size === 0) return text;
    let result = "";
    let done = 0;
    for (const { 0: sign, index } of text.matchAll(/@|%40|&#(?:64|x40);/gi)) {
      const found = this.mailAt(text, index, index + sign.length);
      if (!found || found.start < done) continue;
      result += text.slice(done, found.start) + this.instead;
      done = found.end;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** The address around an at sign, if it is one of these. */
  private mailAt(text: string, at: number, after: number): { start: number; end: number } | null {
    for (const length of this.domains) {
      const locals = this.mails.get(text.slice(after, after + length).toLowerCase());
      const local = locals?.endingAt(text, at) ?? 0;
      if (local > 0) return { start: at - local, end: after + length };
    }
    return null;
  }

  private scrubUserIds(text: string): string {
    if (this.userIds.size === 0) return text;
    let result = "";
    let done = 0;
    // Looked for at every place: what looks like one may begin within what looks like another.
    for (const { 1: found = "", index } of text.matchAll(/(?=([A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}))/g)) {
      if (index < done || !this.userIds.has(found)) continue;
      result += text.slice(done, index) + this.instead;
      done = index + found.length;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  private scrubNumbers(text: string): string {
    if (this.digits.size === 0) return text;
    // A percent sign before: the plus of a number in an address, not two of its digits.
    return text.replaceAll(/(?:%2B|\+)?\(?\d(?:[\s().\-/\u00A0\u2011]{0,3}\d){5,}/gi, (found) => {
      const run = found.replace(/^%2B/i, "").replaceAll(/\D/g, "");
      if (this.national.has(run)) return this.instead;
      for (const [length, known] of this.digits) {
        for (let at = 0; at + length <= run.length; at++) {
          if (known.has(run.slice(at, at + length))) return this.instead;
        }
      }
      return found;
    });
  }
}

/** Texts by their length, so that one is found at a place without trying each. */
class Lengths {
  private readonly byLength = new Map<number, Set<string>>();

  add(text: string): void {
    this.byLength.set(text.length, (this.byLength.get(text.length) ?? new Set()).add(text));
  }

  /** The length of the longest of them that ends there, in any case; 0: none does. */
  endingAt(text: string, end: number): number {
    let longest = 0;
    for (const [length, known] of this.byLength) {
      if (length <= longest || length > end) continue;
      if (known.has(text.slice(end - length, end).toLowerCase())) longest = length;
    }
    return longest;
  }
}
