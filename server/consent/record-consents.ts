import { addressTokens } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressHint, normalizeAddress, readAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { ledgerOf } from "./ledger-place.ts";
import type { NewEntry } from "./queries.ts";
import type { ConsentByHand, ConsentItem, ConsentResult } from "./schemas.ts";
import { writeEntries } from "./write-entries.ts";

/**
 * Records what recipients have said, at most 1,000 entries; each has a result of its own, and an id that was reported before is not
 * recorded twice. Throws `agent_limit` for an agent that says yes in somebody's place.
 */
export async function recordConsents(
  ctx: Ctx,
  input: { environmentId: string; consents: readonly ConsentItem[] },
): Promise<{ results: ConsentResult[] }> {
  const { sandbox } = await ledgerOf(ctx, "consent:write", input.environmentId);
  refuseAgentsYes(ctx, input.consents);
  const now = ctx.now();
  const results = new Map<number, ConsentResult>();
  const entries: (NewEntry & { position: number; itemId: string })[] = [];
  const ids = new Set<string>();
  for (const [
    position,
    { id, at, address, evidence = {}, region = null, ...item },
  ] of input.consents.entries()) {
    const reject = (code: NonNullable<ConsentResult["reason"]>["code"], detail: string) =>
      results.set(position, { id, status: "rejected", reason: { code, detail } });
    const stored = normalizeAddress(item.channel, address);
    if (stored === null) {
      reject("invalid_recipient", addressHint(item.channel));
    } else if (ids.has(id)) {
      reject("duplicate_id", "Another item of this request has the same id.");
    } else {
      ids.add(id);
      const said = at === undefined ? now : new Date(at);
      entries.push({
        position,
        itemId: id,
        id: newId(),
        channel: item.channel,
        address: stored,
        region,
        class: item.class ?? null,
        state: item.state,
        source: "api",
        evidence,
        at: said < now ? said : now,
      });
    }
  }
  if (entries.length > 0) {
    await inTenant(ctx, async (tx) => {
      const written = await writeEntries(ctx, tx, sandbox, entries);
      const fresh: NewEntry[] = [];
      for (const [index, entry] of entries.entries()) {
        const { itemId: id } = entry;
        const outcome = written[index];
        if (outcome === "recorded") fresh.push(entry);
        results.set(
          entry.position,
          outcome === "other"
            ? {
                id,
                status: "rejected",
                reason: {
                  code: "idempotency_mismatch",
                  detail: "This ID was already used with different content. Use a new ID.",
                },
              }
            : { id, status: outcome === "recorded" ? "recorded" : "already_recorded", reason: null },
        );
      }
      if (fresh.length === 0) return;
      const optedIn = fresh.filter((entry) => entry.state === "opted_in").length;
      await recordAudit(ctx, tx, {
        action: "consent.recorded",
        targetType: "consent",
        environmentId: input.environmentId,
        data: { optedIn, optedOut: fresh.length - optedIn },
      });
    });
  }
  return { results: input.consents.map((_, position) => resultAt(results, position)) };
}

/** Records what a recipient has told a person, who says why. */
export async function recordConsentByHand(ctx: Ctx, input: ConsentByHand): Promise<void> {
  const { sandbox } = await ledgerOf(ctx, "consent:write", input.environmentId);
  refuseAgentsYes(ctx, [input]);
  const { channel, state, region, reason } = input;
  const address = normalizeAddress(channel, readAddress(input.address) ?? input.address);
  if (address === null) {
    throw new DomainError("invalid_request", "Not a valid address on that channel.", {
      errors: [
        { pointer: "/address", code: "invalid_recipient", detail: "Not a valid address on that channel" },
      ],
    });
  }
  const tokenOf = await addressTokens(ctx);
  const entry: NewEntry = {
    id: newId(),
    channel,
    address,
    region,
    class: input.class,
    state,
    source: "portal",
    evidence: { reason, recordedBy: ctx.actor.name },
    at: ctx.now(),
  };
  await inTenant(ctx, async (tx) => {
    await writeEntries(ctx, tx, sandbox, [entry]);
    await recordAudit(ctx, tx, {
      action: "consent.recorded",
      targetType: "consent",
      targetId: entry.id,
      environmentId: input.environmentId,
      after: { channel, state, region, class: input.class },
      data: { address: tokenOf(address) },
    });
  });
}

/** What an agent has read is nobody's yes; a no it may record. */
function refuseAgentsYes({ actor }: Ctx, consents: readonly { state: string }[]): void {
  if (actor.type !== "apiKey" || !actor.agent || !consents.some(({ state }) => state === "opted_in")) return;
  throw new DomainError("agent_limit", "Agents can only record opt-outs.");
}

function resultAt(results: ReadonlyMap<number, ConsentResult>, position: number): ConsentResult {
  const found = results.get(position);
  if (!found) throw new Error("an item has no result");
  return found;
}
