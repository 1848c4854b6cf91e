import { authorizeSettings } from "../access/authorize-settings.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressToken, consentKey } from "../consent/address-token.ts";
import { contactsOf, holdsContacts } from "../contacts/forget-contacts.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { ExportPlaces } from "../kernel/export-places.ts";
import { DomainError } from "../kernel/errors.ts";
import { openOwn, sealOwn } from "../kernel/secrets.ts";
import { authorize } from "../operations/authorize.ts";
import { readAddresses } from "./request-erasure.ts";
import {
  consentKinds,
  countHoldings,
  firstOfLong,
  selectConsentPage,
  selectConversationPage,
  selectInboundPage,
  selectLongPage,
  selectMessagePage,
} from "./recipient-queries.ts";
import type { ConsentRow, LongList, MessageDocument } from "./recipient-queries.ts";
import { holdings } from "./schemas.ts";
import type { Holdings } from "./schemas.ts";

/** Counting ends here. */
const mostCounted = 10_000;

/** How much is held about a recipient, by kind. What other texts say of the address is found only when it is erased. */
export async function findRecipient(ctx: Ctx, input: { address: string }): Promise<Holdings> {
  await authorizeSettings(ctx, "to read");
  const address = oneAddress(input.address);
  const { member, ...found } = await countHoldings(
    ctx,
    address,
    await tokensOf(ctx, address),
    mostCounted + 1,
  );
  const counts = { ...found, contacts: await holdsContacts(ctx, address) };
  return {
    address,
    member,
    counts: holdings.map((kind) => ({
      kind,
      count: Math.min(counts[kind], mostCounted),
      more: counts[kind] > mostCounted,
    })),
  };
}

function oneAddress(text: string): string {
  const [address] = readAddresses([text]);
  if (address === undefined) throw new DomainError("invalid_request", "This is no address.");
  return address;
}

/** What may stay of an address that was erased before; these are kept and shown as what they are. */
async function tokensOf(ctx: Ctx, address: string): Promise<string[]> {
  const key = await consentKey(ctx);
  return key
    ? (["sms", "email", "whatsapp"] as const).map((channel) => addressToken(key, channel, address))
    : [];
}

const purpose = "recipient exports";
const validMs = 10 * 60_000;

/**
 * A download of all that is held about a recipient, for this person and ten minutes. Nothing is stored: the address is sealed in the
 * link, and the file is made while it is read. Needs content:reveal for the whole organisation as well. Audited.
 */
export async function prepareExport(
  ctx: Ctx,
  input: { address: string },
): Promise<{ ticket: string; expiresAt: string }> {
  await authorizeSettings(ctx, "to read");
  authorize(ctx, "content:reveal", {});
  const address = oneAddress(input.address);
  const expiresAt = new Date(ctx.now().getTime() + validMs).toISOString();
  const sealed = sealOwn(purpose, contextOf(ctx), JSON.stringify({ address, expiresAt }));
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "recipient.export_prepared",
      targetType: "recipient",
      targetId: null,
      after: { expiresAt },
    }),
  );
  return { ticket: sealed.toString("base64url"), expiresAt };
}

/** Bound to who asked for it. */
const contextOf = (ctx: Ctx) => `${ctx.tenantId} ${ctx.actor.type} ${ctx.actor.id ?? ""}`;

const pageOf = { consent: 500, messages: 50, conversations: 50, inbound: 200 };
const places = new ExportPlaces({ organisation: 1, process: 4 });

/**
 * The export that a ticket stands for, as pieces of a JSON document: one page is in memory at a time. Throws `not_found` for a
 * ticket that is somebody else's or over. `rest` is to be read to its end or ended with return().
 */
export async function exportRecipient(
  ctx: Ctx,
  input: { ticket: string },
): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  await authorizeSettings(ctx, "to read");
  authorize(ctx, "content:reveal", {});
  let address: string;
  try {
    const ticket = JSON.parse(openOwn(purpose, contextOf(ctx), Buffer.from(input.ticket, "base64url"))) as {
      address: string;
      expiresAt: string;
    };
    if (ticket.expiresAt <= ctx.now().toISOString()) throw new Error("over");
    address = ticket.address;
  } catch {
    throw new DomainError("not_found", "This download is over. Ask for another one.");
  }
  places.check(ctx.tenantId);
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, { action: "recipient.exported", targetType: "recipient", targetId: null }),
  );
  return places.begin(ctx.tenantId, () => documentOf(ctx, address));
}

async function* documentOf(ctx: Ctx, address: string): AsyncGenerator<string> {
  const head = { format: "tidings-recipient-export/1", exportedAt: ctx.now().toISOString(), address };
  yield `${JSON.stringify(head).slice(0, -1)},\n"consent":[`;
  yield* listed(consentPages(ctx, [address, ...(await tokensOf(ctx, address))]));
  yield `],\n"contacts":${JSON.stringify(await contactsOf(ctx, address))},\n"messages":[`;
  let separator = "\n";
  const messages = pages<MessageDocument>(pageOf.messages, (after, limit) =>
    selectMessagePage(ctx, address, after?.id ?? null, limit),
  );
  for await (const page of messages) {
    for (const message of page) {
      yield separator;
      separator = ",\n";
      yield* messageText(ctx, message);
    }
  }
  yield `],\n"conversations":[`;
  separator = "\n";
  const conversations = pages<Row>(pageOf.conversations, (after, limit) =>
    selectConversationPage(ctx, address, after?.id ?? null, limit),
  );
  for await (const page of conversations) {
    for (const { id, document } of page) {
      yield `${separator}${JSON.stringify(document).slice(0, -1)},"messages":[`;
      separator = ",\n";
      yield* listed(
        pages<Row>(pageOf.inbound, (after, limit) => selectInboundPage(ctx, id, after?.id ?? null, limit)),
      );
      yield "]}";
    }
  }
  yield `],\n"complete":true}\n`;
}

interface Row {
  id: string;
  document: object;
}

/** A message with all that belongs to it. */
async function* messageText(ctx: Ctx, { id, document }: MessageDocument): AsyncGenerator<string> {
  const { events, webhooks, ...others } = document;
  let text = JSON.stringify(others).slice(0, -1);
  const long: [LongList, readonly object[], string | undefined][] = [
    ["events", events, events.at(-1)?.sequence.toString()],
    ["webhooks", webhooks, webhooks.at(-1)?.id],
  ];
  for (const [of, first, last] of long) {
    text += `,"${of}":[${first.map((each) => JSON.stringify(each)).join(",\n")}`;
    if (first.length === firstOfLong && last !== undefined) {
      const more = pages<Row>(firstOfLong, (after, limit) =>
        selectLongPage(ctx, of, id, after?.id ?? last, limit),
      );
      for await (const page of more) {
        yield text;
        text = `,\n${page.map((row) => JSON.stringify(row.document)).join(",\n")}`;
      }
    }
    text += "]";
  }
  yield `${text}}`;
}

async function* consentPages(ctx: Ctx, addresses: readonly string[]): AsyncGenerator<ConsentRow[]> {
  for (const kind of consentKinds)
    yield* pages<ConsentRow>(pageOf.consent, (after, limit) =>
      selectConsentPage(ctx, kind, addresses, after, limit),
    );
}

/** All pages of what is read behind its last row. */
async function* pages<R>(
  size: number,
  select: (after: R | null, limit: number) => Promise<R[]>,
): AsyncGenerator<R[]> {
  for (let after: R | null = null; ;) {
    const page: R[] = await select(after, size);
    if (page.length > 0) yield page;
    after = page.at(-1) ?? null;
    if (page.length < size) return;
  }
}

/** Pages as the inside of a JSON array. */
async function* listed(of: AsyncIterable<readonly { document: object }[]>): AsyncGenerator<string> {
  let separator = "\n";
  for await (const page of of) {
    yield separator + page.map(({ document }) => JSON.stringify(document)).join(",\n");
    separator = ",\n";
  }
}
