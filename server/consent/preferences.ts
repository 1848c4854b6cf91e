import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { findCatalogue } from "../tenancy/catalogue.ts";
import { addressToken, consentKey } from "./address-token.ts";
import { consentPolicy } from "./consent-policy.ts";
import { countEntriesSince, selectNamedRegions, selectRefused } from "./queries.ts";
import type { NewEntry } from "./queries.ts";
import { standingOf } from "./standing.ts";
import type { Unsubscription } from "./unsubscribe-token.ts";
import { writeEntries } from "./write-entries.ts";

/** What a recipient chooses, in the order of the page: codes that they ask for are none of these. */
export const choosable = ["marketing", "service", "transactional"] as const;
export type Choosable = (typeof choosable)[number];

/** Of one address; each is an entry for ever. A no that changes nothing is none. */
const mostChangesADay = 30;
const day = 86_400_000;
/** There are no more codes of two letters that a region can have. */
const mostRegions = 676;

export interface Preferences {
  organisation: { id: string; name: string };
  /** Whether they get messages of the class, in any region. */
  wants: Record<Choosable, boolean>;
  /** The classes that they have refused in every region. */
  refused: readonly Choosable[];
}

const ctxOf = (db: Db, of: Unsubscription, requestId: string): Ctx =>
  systemCtx(db, of.tenantId, "Unsubscribe link", requestId);

/** What the recipient of an e-mail gets by e-mail now; null: the organisation is gone. Changes nothing. */
export async function readPreferences(
  db: Db,
  of: Unsubscription,
  requestId: string,
): Promise<Preferences | null> {
  const ctx = ctxOf(db, of, requestId);
  const catalogue = await findCatalogue(ctx);
  if (!catalogue) return null;
  const { tenant } = catalogue;
  const key = await consentKey(ctx);
  const { address, sandbox } = of;
  const addresses = [address, key ? addressToken(key, "email", address) : address] as const;
  const place = { sandbox, channel: "email", addresses };
  const refusals = await selectRefused(ctx, { ...place, classes: choosable });
  const named = await selectNamedRegions(
    ctx,
    { sandbox, places: [{ channel: "email", names: addresses }] },
    mostRegions,
  );
  const asked = choosable.flatMap((name) =>
    [null, ...named].map((region) => ({ ...place, region, class: name })),
  );
  const standings = await standingOf(ctx, asked);
  const wanted = new Set<string>();
  for (const [index, { class: name, region }] of asked.entries()) {
    const consent = standings[index]?.consent ?? null;
    const where = { class: name, channel: "email", region: region ?? "" } as const;
    const policy = consentPolicy(tenant.settings, where);
    if (policy === "opt_in_required" ? consent === "opted_in" : consent !== "opted_out") wanted.add(name);
  }
  const wants = Object.fromEntries(choosable.map((name) => [name, wanted.has(name)])) as Record<
    Choosable,
    boolean
  >;
  const refused = choosable.filter((name) => refusals.has(name));
  return { organisation: { id: of.tenantId, name: tenant.name }, wants, refused };
}

/**
 * Records what the recipient of an e-mail has chosen for it, class by class. A no is recorded unless it stands already, also where
 * nothing is sent without a yes: the policy may change. A yes only where they did not get the class: a box that was ticked for them
 * says nothing. So a repetition changes nothing. Throws `not_found` when the organisation is gone, and `rate_limited` for an address that changes
 * its mind all day: a no is always taken.
 */
export async function choosePreferences(
  db: Db,
  of: Unsubscription,
  choice: Partial<Record<Choosable, boolean>>,
  requestId: string,
): Promise<Preferences> {
  const before = await readPreferences(db, of, requestId);
  if (!before) throw new DomainError("not_found", "The organisation is gone.");
  const changed = choosable.filter(
    (name) =>
      (choice[name] === false && !before.refused.includes(name)) ||
      (choice[name] === true && !before.wants[name]),
  );
  if (changed.length === 0) return before;
  const ctx = ctxOf(db, of, requestId);
  const now = ctx.now();
  const entries = changed.map((name): NewEntry => ({
    id: newId(),
    channel: "email",
    address: of.address,
    region: null,
    class: name,
    state: choice[name] === true ? "opted_in" : "opted_out",
    source: "unsubscribe_link",
    evidence: { link: `of an e-mail (${of.class})` },
    at: now,
  }));
  await inTenant(ctx, async (tx) => {
    const since = new Date(now.getTime() - day);
    const known = await countEntriesSince(tx, of.tenantId, of.sandbox, "email", of.address, since);
    if (known >= mostChangesADay && entries.some(({ state }) => state === "opted_in")) {
      throw new DomainError("rate_limited", "This was changed very often today. Try again tomorrow.", {
        retryAfter: day / 1_000,
      });
    }
    await writeEntries(ctx, tx, of.sandbox, entries);
    await recordAudit(ctx, tx, {
      action: "consent.recorded",
      targetType: "consent",
      data: {
        optedIn: entries.filter(({ state }) => state === "opted_in").length,
        optedOut: entries.filter(({ state }) => state === "opted_out").length,
      },
    });
  });
  const refused = choosable.filter((name) => choice[name] === false);
  return { ...before, wants: { ...before.wants, ...choice }, refused };
}
