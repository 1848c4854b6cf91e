/**
 * Mail that came back: what a mail server reports about a message that it could not deliver, as RFC 3464 has it. What is written
 * for people only says nothing reliable and is left alone.
 */
import PostalMime from "postal-mime";
import type { Receipt } from "../adapter.ts";
import { bounceFailure, failedReceipt, invalidMailbox, mailboxUnavailable } from "../email-failures.ts";
import type { KnownFailure } from "../http-call.ts";

/** Report and headers stand before the returned message, of which nothing is read. */
const READ_BYTES = 256 * 1_024;
/** Each costs some microseconds, however short it is. */
const READ_LINES = 4_000;
const HEADER_BYTES = 64 * 1_024;
const REPORT_CHARACTERS = 64 * 1_024;
/** We write to one recipient; where that is a list, there may be some. */
const MAX_RECIPIENTS = 20;
const MAX_ADDRESSES = 50;

export interface BounceMail {
  /** To whom it came back: what the header says, in small letters. */
  addresses: string[];
  /** `unclear`: it says nothing that a program could rely on. */
  says: "failed" | "delayed" | "delivered" | "unclear";
  /** Of one that failed. */
  receipt?: Partial<Receipt>;
}

/** Never rejects, whatever the bytes are; takes a bounded time. */
export async function readBounceMail(raw: Buffer): Promise<BounceMail> {
  try {
    const mail = await PostalMime.parse(beginningOf(raw), {
      maxNestingDepth: 16,
      maxHeadersSize: HEADER_BYTES,
      maxRfc822NestingDepth: 0,
    });
    const addresses = mail.headers
      .filter(({ key }) => recipientFields.has(key))
      .flatMap(({ value }) => value.slice(0, 2_000).match(/[\w+.-]{1,64}@[\w.-]{1,255}/g) ?? [])
      .slice(0, MAX_ADDRESSES)
      .map((address) => address.toLowerCase());
    const report = mail.attachments.find(({ mimeType }) => reportTypes.has(mimeType));
    if (!report) return { addresses, says: "unclear" };
    const { content } = report;
    const text = typeof content === "string" ? content : new TextDecoder("utf-8").decode(content);
    return { addresses, ...verdictOf(recipientsOf(text.slice(0, REPORT_CHARACTERS))) };
  } catch {
    return { addresses: [], says: "unclear" };
  }
}

function beginningOf(raw: Buffer): Buffer {
  let end = 0;
  for (let lines = 0; lines < READ_LINES; lines += 1) {
    const next = raw.indexOf(0x0a, end);
    if (next < 0 || next >= READ_BYTES) return raw.subarray(0, READ_BYTES);
    end = next + 1;
  }
  return raw.subarray(0, end);
}

const recipientFields = new Set(["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"]);
/** The second is of RFC 6533, for addresses in any script. */
const reportTypes = new Set(["message/delivery-status", "message/global-delivery-status"]);

type Fields = ReadonlyMap<string, string>;

/** The groups of fields about recipients: all after the first, which is about the message. A folded line is one. */
function recipientsOf(text: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let group: Map<string, string> | undefined;
  let last: string | undefined;
  for (const line of text.split(/\r?\n|\r/)) {
    if (line.trim() === "") {
      group = undefined;
      last = undefined;
      continue;
    }
    if (/^[ \t]/.test(line)) {
      if (group && last !== undefined) {
        const joined = `${group.get(last) ?? ""} ${line.trim()}`;
        if (joined.length <= 2_000) group.set(last, joined);
      }
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    if (!group) {
      group = new Map();
      groups.push(group);
      if (groups.length > MAX_RECIPIENTS + 2) return [];
    }
    last = line.slice(0, colon).trim().toLowerCase();
    if (!group.has(last) && group.size < 50) group.set(last, line.slice(colon + 1).trim());
  }
  // Some leave the group about the message out.
  return groups.filter((fields) => fields.has("action") || fields.has("final-recipient"));
}

/** Of a list some of whose members cannot be reached, nothing can be said. */
function verdictOf(recipients: readonly Fields[]): Omit<BounceMail, "addresses"> {
  const actions = new Set(
    recipients.map((fields) => /^[a-z]+/i.exec(fields.get("action") ?? "")?.[0].toLowerCase()),
  );
  const [action] = actions;
  if (actions.size !== 1 || recipients.length > MAX_RECIPIENTS) return { says: "unclear" };
  if (action === "delayed") return { says: "delayed" };
  if (action === "delivered" || action === "relayed" || action === "expanded") return { says: "delivered" };
  if (action !== "failed") return { says: "unclear" };
  const receipts = recipients.map(failureOf);
  // Forwarded to several: as long as one of them may work again, so may the address.
  const [worst] = receipts;
  const receipt = receipts.find(({ permanent }) => permanent !== true) ?? worst;
  return receipt ? { says: "failed", receipt } : { says: "unclear" };
}

function failureOf(fields: Fields): Partial<Receipt> {
  const status = /^([245])\.(\d{1,3})\.(\d{1,3})\b/.exec(fields.get("status") ?? "")?.[0];
  const diagnostic = fields.get("diagnostic-code") ?? "";
  const vague = status === undefined || status.endsWith(".0.0");
  // Where the status says only that it failed, the other server's own words may say more.
  const words = bounceFailure(diagnostic);
  const said =
    vague && words.status !== undefined && !words.status.endsWith(".0.0") ? words : bounceFailure(status);
  const code = said.status ?? status;
  const failure = failureOfCode(said, code, diagnostic);
  const permanent = failure.code === invalidMailbox.code;
  return {
    event: "bounced",
    permanent,
    ...failedReceipt(failure, diagnostic === "" ? (fields.get("status") ?? "") : diagnostic),
    ...(code === undefined ? {} : { providerCode: code }),
  };
}

/**
 * Hard is what says that the address does not work: there is no such mailbox, no such domain, or the server says no more than a
 * final no to the recipient. A refusal of the content or of us (5.6, 5.7) is about this message and not about the address.
 */
function failureOfCode(failure: KnownFailure, code: string | undefined, diagnostic: string): KnownFailure {
  const reply = /(?<!\d)([245]\d\d)(?!\d)/.exec(diagnostic.replace(/^[\w-]{1,20};/, ""))?.[1];
  const kind = code?.[0] ?? reply?.[0];
  if (kind !== "5") return kind === "4" && failure.code === "undelivered" ? mailboxUnavailable : failure;
  if (code === "5.4.4" || code === "5.4.310") return invalidMailbox;
  if (failure.code !== "undelivered") return failure;
  const vague = code === undefined || code.endsWith(".0.0");
  const aboutUs = /spam|block|listed|polic|reput|\bspf\b|dkim|dmarc|unsolicited|content|virus/i.test(
    diagnostic,
  );
  const refused = reply !== undefined && ["550", "551", "553"].includes(reply);
  return vague && refused && !aboutUs ? invalidMailbox : failure;
}
