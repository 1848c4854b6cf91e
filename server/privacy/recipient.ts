import { authorizeSettings } from "../access/authorize-settings.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressToken, consentKey } from "../consent/address-token.ts";
import { contactsOf, holdsContacts } from "../contacts/forget-contacts.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { openOwn, sealOwn } from "../kernel/secrets.ts";
import { authorize } from "../operations/authorize.ts";
import { readAddresses } from "./request-erasure.ts";
import {
  countHoldings,
  selectConversationPage,
  selectConsentRows,
  selectInboundPage,
  selectMessagePage,
} from "./recipient-queries.ts";
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

const pageOf = { messages: 50, conversations: 50, inbound: 200 };
/** Exports under way in this process: of one organisation, and in all. */
const most = { organisation: 1, process: 4 };
const running = new Map<string, number>();

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
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  if ((running.get(ctx.tenantId) ?? 0) >= most.organisation || all >= most.process) {
    throw new DomainError("rate_limited", "Another export is under way. Try again when it has ended.", {
      retryAfter: 30,
    });
  }
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, { action: "recipient.exported", targetType: "recipient", targetId: null }),
  );
  const rest = counted(ctx, address);
  const first = await rest.next();
  return { first: first.done ? "" : first.value, rest };
}

async function* counted(ctx: Ctx, address: string): AsyncGenerator<string> {
  running.set(ctx.tenantId, (running.get(ctx.tenantId) ?? 0) + 1);
  try {
    yield* documentOf(ctx, address);
  } finally {
    const left = (running.get(ctx.tenantId) ?? 1) - 1;
    if (left > 0) running.set(ctx.tenantId, left);
    else running.delete(ctx.tenantId);
  }
}

async function* documentOf(ctx: Ctx, address: string): AsyncGenerator<string> {
  const head = { format: "tidings-recipient-export/1", exportedAt: ctx.now().toISOString(), address };
  yield `${JSON.stringify(head).slice(0, -1)},\n"consent":${JSON.stringify(await selectConsentRows(ctx, [address, ...(await tokensOf(ctx, address))]))},\n"contacts":${JSON.stringify(await contactsOf(ctx, address))},\n"messages":[`;
  let separator = "\n";
  for (let after: string | null = null; ;) {
    const page: { id: string; document: object }[] = await selectMessagePage(
      ctx,
      address,
      after,
      pageOf.messages,
    );
    if (page.length > 0) yield separator + page.map(({ document }) => JSON.stringify(document)).join(",\n");
    separator = ",\n";
    after = page.at(-1)?.id ?? null;
    if (page.length < pageOf.messages) break;
  }
  yield `],\n"conversations":[`;
  separator = "\n";
  for (let after: string | null = null; ;) {
    const page: { id: string; document: object }[] = await selectConversationPage(
      ctx,
      address,
      after,
      pageOf.conversations,
    );
    for (const { id, document } of page) {
      yield `${separator}${JSON.stringify(document).slice(0, -1)},"messages":[`;
      separator = ",\n";
      let comma = "";
      for (let last: string | null = null; ;) {
        const inbound: { id: string; document: object }[] = await selectInboundPage(
          ctx,
          id,
          last,
          pageOf.inbound,
        );
        if (inbound.length > 0) yield comma + inbound.map((row) => JSON.stringify(row.document)).join(",\n");
        comma = ",";
        last = inbound.at(-1)?.id ?? null;
        if (inbound.length < pageOf.inbound) break;
      }
      yield "]}";
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < pageOf.conversations) break;
  }
  yield `],\n"complete":true}\n`;
}
