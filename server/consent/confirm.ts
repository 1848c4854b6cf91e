import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { findCatalogue } from "../tenancy/catalogue.ts";
import type { ConfirmationLink } from "./confirmation-token.ts";
import { findConfirmation, lockAnswered, lockConfirmation, markConfirmed } from "./confirmation-queries.ts";
import type { ConfirmationRow, YesByWord } from "./confirmation-queries.ts";
import type { Recorded } from "./record-words.ts";
import type { ConfirmableClass, ConfirmationState } from "./schemas.ts";
import { writeEntries } from "./write-entries.ts";

export type { YesByWord } from "./confirmation-queries.ts";

/** What the page of a confirmation shows. */
export interface AskedConfirmation {
  organisation: { id: string; name: string };
  sandbox: boolean;
  address: string;
  class: ConfirmableClass;
  state: ConfirmationState;
}

const ctxOf = (db: Db, link: ConfirmationLink, requestId: string): Ctx =>
  systemCtx(db, link.tenantId, "Confirmation link", requestId);

/** What the recipient of an e-mail is asked; null: it, or the organisation, is gone. Changes nothing. */
export async function readConfirmation(
  db: Db,
  link: ConfirmationLink,
  requestId: string,
): Promise<AskedConfirmation | null> {
  const ctx = ctxOf(db, link, requestId);
  const catalogue = await findCatalogue(ctx);
  if (!catalogue) return null;
  const found = await findConfirmation(ctx, link.messageId, ctx.now());
  if (found?.channel !== "email") return null;
  const { sandbox, address, class: of, state } = found;
  return {
    organisation: { id: link.tenantId, name: catalogue.tenant.name },
    sandbox,
    address,
    class: of,
    state,
  };
}

/**
 * The recipient of an e-mail agrees. Records the opt-in once, however often it is said, and not if they have said no since they were
 * asked, or too late: the state says so.
 */
export async function confirmByLink(
  db: Db,
  link: ConfirmationLink,
  requestId: string,
): Promise<AskedConfirmation | null> {
  const asked = await readConfirmation(db, link, requestId);
  if (asked?.state !== "pending") return asked;
  const ctx = ctxOf(db, link, requestId);
  const now = ctx.now();
  await inTenant(ctx, async (tx) => {
    const row = await lockConfirmation(tx, ctx.tenantId, link.messageId, now);
    if (row) await confirm(ctx, tx, row, { at: now, evidence: { confirmedBy: "link in the e-mail" } });
  });
  return readConfirmation(db, link, requestId);
}

/**
 * Recipients answer with one word what they were asked, from the address that was asked to the number that asked, in the caller's
 * transaction. Where nothing waits, it changes nothing. Returns what was confirmed, by the message that did it.
 */
export async function confirmByWords(
  ctx: Ctx,
  tx: Tx,
  said: readonly YesByWord[],
): Promise<ReadonlyMap<string, Recorded>> {
  const confirmed = new Map<string, Recorded>();
  if (said.length === 0) return confirmed;
  const words = new Map(said.map((each) => [each.inboundMessageId, each]));
  for (const { inboundMessageId, id } of await lockAnswered(tx, ctx.tenantId, said)) {
    const yes = words.get(inboundMessageId);
    const row = yes && (await lockConfirmation(tx, ctx.tenantId, id, yes.at));
    if (!row) continue;
    const evidence = { confirmedBy: "word", word: yes.word, inboundMessageId };
    if (!(await confirm(ctx, tx, row, { at: yes.at, evidence }))) continue;
    confirmed.set(inboundMessageId, { inboundMessageId, classes: [row.class], repeated: false });
  }
  return confirmed;
}

/** State, opt-in and audit in one transaction. */
async function confirm(
  ctx: Ctx,
  tx: Tx,
  row: ConfirmationRow,
  { at: said, evidence }: { at: Date; evidence: Record<string, string> },
): Promise<boolean> {
  if (row.state !== "pending") return false;
  // A provider's clock may be behind ours.
  const at = said < row.createdAt ? row.createdAt : said;
  const { sandbox, channel, address, region, class: of } = row;
  await markConfirmed(tx, ctx.tenantId, row.id, at);
  await writeEntries(ctx, tx, sandbox, [
    {
      id: newId(),
      channel,
      address,
      region,
      class: of,
      state: "opted_in",
      source: "double_opt_in",
      evidence: {
        ...row.evidence,
        confirmationId: row.id,
        askedAt: row.createdAt.toISOString(),
        confirmedAt: at.toISOString(),
        ...evidence,
      },
      at,
    },
  ]);
  await recordAudit(ctx, tx, {
    action: "consent_confirmation.confirmed",
    targetType: "consent_confirmation",
    targetId: row.id,
    environmentId: row.environmentId,
    before: { state: "pending" },
    after: { state: "confirmed" },
    data: { channel, class: of, region, by: evidence.confirmedBy },
  });
  return true;
}
