import { parse } from "csv-parse/sync";
import { Refused } from "../command.ts";
import { importBounds, templateName } from "./found.ts";
import type { Found, TypeMap } from "./found.ts";
import { entryId } from "./novu.ts";
import { isRecord, recordsOf, textOf } from "./source.ts";
import type { Source } from "./source.ts";
import { fromTwilio } from "./syntax.ts";

type TwilioPart = "templates" | "consent";

/** Twilio refused to send because the recipient had answered STOP. */
const unsubscribed = 21_610;
/** What Twilio takes for a no where nothing else is set, and for a yes after it. */
const stopWords = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const startWords = new Set(["START", "UNSTOP"]);

/**
 * Reads an account of Twilio: content templates, and who has opted out. Twilio has no list of opt-outs in its API, so they are
 * read off the messages that it refused for that reason or got as an answer, and off the file that its console exports.
 * @param options.optOutsCsv the text of such a file
 */
export async function readTwilio(
  source: Source | null,
  options: {
    apiUrl: string;
    contentUrl: string;
    accountSid: string;
    types: TypeMap;
    classes: readonly string[];
    parts: ReadonlySet<TwilioPart>;
    optOutsCsv?: string | undefined;
  },
): Promise<Found> {
  const found: Found = { templates: [], contacts: [], consents: [], unmapped: [] };
  if (options.parts.has("templates") && source) await readContents(source, options, found);
  if (!options.parts.has("consent")) return found;
  const since = new Map<string, string | undefined>();
  if (source) await readMessages(source, options, since);
  if (options.optOutsCsv !== undefined) readCsv(options.optOutsCsv, since, found);
  for (const [to, at] of since) {
    const channel = to.startsWith("whatsapp:") ? "whatsapp" : "sms";
    const address = to.replace(/^whatsapp:/, "");
    for (const of of options.classes)
      found.consents.push({
        id: entryId("twilio", channel, address, of),
        channel,
        address,
        state: "opted_out",
        class: of as "marketing",
        ...(at === undefined ? {} : { at }),
        evidence: { source: "Twilio", reason: "opted out there" },
      });
  }
  return found;
}

async function readContents(
  source: Source,
  { contentUrl, types }: { contentUrl: string; types: TypeMap },
  found: Found,
): Promise<void> {
  let next: string | undefined = `${contentUrl}/v1/Content?PageSize=500`;
  while (next !== undefined) {
    const page: Record<string, unknown> = await source.page(next);
    for (const content of recordsOf(page.contents)) addContent(content, types, found);
    if (found.templates.length > importBounds.rows)
      throw new Refused("Twilio has more templates than one run reads.");
    next = nextPage(isRecord(page.meta) ? page.meta.next_page_url : undefined, contentUrl);
  }
}

/** The next page is asked for at the address that was configured, whatever host the answer names. */
function nextPage(given: unknown, baseUrl: string): string | undefined {
  const text = textOf(given);
  if (text === undefined) return undefined;
  const { pathname, search } = new URL(text, baseUrl);
  return `${baseUrl}${pathname}${search}`;
}

function addContent(content: Record<string, unknown>, types: TypeMap, { templates, unmapped }: Found): void {
  const sid = textOf(content.sid) ?? "";
  const title = textOf(content.friendly_name) ?? sid;
  const language = /^([a-z]{2})(?:[_-]|$)/.exec(textOf(content.language) ?? "")?.[1] ?? null;
  const examples = isRecord(content.variables) ? content.variables : {};
  const kinds = isRecord(content.types) ? content.types : {};
  const type = types.of(title);
  const skip = (kind: string, why: string) =>
    unmapped.push({ what: `content ${title} (${sid}), ${kind}`, why });
  const done = new Set<string>();
  for (const [kind, parts] of Object.entries(kinds)) {
    if (!isRecord(parts)) continue;
    if (!type) {
      skip(
        kind,
        "No notification type is given for this template; add it to the file of --types, or use --type",
      );
      continue;
    }
    const body = textOf(parts.body) ?? textOf(parts.title);
    if (body === undefined) {
      skip(
        kind,
        "It has no text that could be kept here; send it as an approved template by its content SID",
      );
      continue;
    }
    const text = fromTwilio(body);
    if (text.problems.length > 0) {
      skip(kind, text.problems.join("; "));
      continue;
    }
    const variables = [...text.variables].map(([name, mark]) => ({
      name,
      type: "string",
      required: true,
      ...(textOf(examples[mark]) === undefined ? {} : { example: textOf(examples[mark]) }),
    }));
    const base = {
      name: templateName(title),
      ...type,
      region: null,
      language,
      provider: null,
      subject: null,
    };
    // Plain text can be an SMS; every type is a WhatsApp template that Twilio keeps, with its media and buttons.
    if (kind === "twilio/text" && !done.has("sms")) {
      done.add("sms");
      templates.push({ ...base, channel: "sms", body: text.text, metadata: {}, variables });
    }
    if (done.has("whatsapp")) {
      skip(
        kind,
        "The template has another type already, and is sent by its content SID with whatever type the recipient can show",
      );
      continue;
    }
    done.add("whatsapp");
    // By number, because Twilio fills them by number.
    const numbers = [...text.variables.values()].filter((mark) => /^\d+$/.test(mark)).map(Number);
    const most = Math.max(0, ...numbers);
    const missing = Array.from({ length: most }, (_, at) => at + 1).filter(
      (number) => !numbers.includes(number),
    );
    if (missing.length > 0 || numbers.length < text.variables.size) {
      skip(`${kind} on WhatsApp`, "Its placeholders are not numbered from 1 without gaps within the text");
      continue;
    }
    templates.push({
      ...base,
      channel: "whatsapp",
      body: text.text,
      metadata: {
        templateName: sid,
        parameters: numbers.toSorted((a, b) => a - b).map((number) => `{{ value${number} }}`),
      },
      variables,
    });
    if (kind !== "twilio/text")
      unmapped.push({
        what: `content ${title} (${sid}), ${kind}: media and buttons`,
        why: "They stay in Twilio's template, which is sent by its SID; the preview here shows the text only",
      });
  }
}

async function readMessages(
  source: Source,
  { apiUrl, accountSid }: { apiUrl: string; accountSid: string },
  since: Map<string, string | undefined>,
): Promise<void> {
  let next: string | undefined =
    `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json?PageSize=1000`;
  // A no holds for one sender, until the recipient says yes to the same.
  const heardSince = new Set<string>();
  while (next !== undefined) {
    const page: Record<string, unknown> = await source.page(next);
    // Newest first: what is said later is known already.
    for (const message of recordsOf(page.messages)) {
      const { recipient, senders, says } = readMessage(message);
      if (recipient === undefined) continue;
      const pairs = senders.map((sender) => `${recipient} ${sender}`);
      if (says === "yes") for (const pair of pairs) heardSince.add(pair);
      if (says !== "no" || pairs.some((pair) => heardSince.has(pair))) continue;
      // The first of them is the nearest to when they said so.
      since.set(recipient, isoOf(textOf(message.date_created)) ?? since.get(recipient));
      if (since.size > importBounds.rows) throw new Refused("Twilio has more opt-outs than one run reads.");
    }
    next = nextPage(page.next_page_uri, apiUrl);
  }
}

/** Whom a message is about, at which number or messaging service, and what it shows of whether they may be written to from there. */
function readMessage(message: Record<string, unknown>): {
  recipient: string | undefined;
  senders: string[];
  says: "yes" | "no" | null;
} {
  const [from, to, service] = [message.from, message.to, message.messaging_service_sid].map(textOf);
  const inbound = message.direction === "inbound";
  const [recipient, number] = inbound ? [from, to] : [to, from];
  const senders = [service, number].filter((sender) => sender !== undefined);
  const word = inbound ? textOf(message.body)?.toUpperCase() : undefined;
  const isNo = word === undefined ? Number(message.error_code) === unsubscribed : stopWords.has(word);
  // Twilio's own answers to words, which are replies, reach those who have said no, too.
  const reached =
    message.direction === "outbound-api" && /^(?:sent|delivered|read)$/.test(String(message.status));
  const isYes = word === undefined ? reached : startWords.has(word);
  return { recipient, senders, says: isNo ? "no" : isYes ? "yes" : null };
}

function isoOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function readCsv(text: string, since: Map<string, string | undefined>, { unmapped }: Found): void {
  if (text.length > importBounds.bytes)
    throw new Refused("The file of opt-outs is larger than 32 MiB; split it.");
  const rows = parse(text, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    to: importBounds.rows + 2,
  });
  if (rows.length > importBounds.rows + 1)
    throw new Refused(`The file of opt-outs has more than ${importBounds.rows} rows.`);
  for (const [at, row] of rows.entries()) {
    const address = row
      .map((cell) => cell.trim())
      .find((cell) => /^(?:whatsapp:)?\+[1-9]\d{6,14}$/.test(cell));
    if (address !== undefined) {
      const when = row
        .map((cell) => (/\d{4}/.test(cell) && /[-/: ]/.test(cell) ? isoOf(cell) : undefined))
        .find(Boolean);
      if (!since.has(address)) since.set(address, when);
    } else if (at > 0)
      unmapped.push({
        what: `opt-outs, row ${at + 1}`,
        why: "It has no number in international form, such as +4915112345678",
      });
  }
}
