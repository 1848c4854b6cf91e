import { Batcher } from "../kernel/batcher.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { selectEnded, selectGroups, selectHolds } from "./queries.ts";
import type { EndedHold, MailHold } from "./queries.ts";
import { groupName } from "./vocabulary.ts";
import type { DomainGroup } from "./schemas.ts";
import { rateText } from "./rates.ts";

/** Why marketing to an address waits. */
export interface HeldBack {
  group: DomainGroup;
  detail: string;
}

export { clearEnded } from "./queries.ts";

type Holds = ReadonlyMap<DomainGroup, HeldBack>;

// A hold, and its end, take effect everywhere within so long.
const cache = ttlCache<Holds>({ name: "mail holds", ttlMs: 2_000, max: 2_000, ahead: true });
const none: Holds = new Map();

async function holdsOf(ctx: Pick<Ctx, "db" | "tenantId">): Promise<Holds> {
  const load = async () => new Map((await selectHolds(ctx)).map((hold) => [hold.group, heldBack(hold)]));
  return (await cache.get(ctx.tenantId, load)) ?? none;
}

/** After a change: this process sees it at once, the others within two seconds. */
export function forgetHolds(tenantId: string): void {
  cache.forget(tenantId);
}

/** Looks up the holds of marketing mails of all organisations; one without holds costs no round trip. */
export class MailHolds {
  private readonly db: Db;
  private readonly groups: Batcher<string, DomainGroup>;

  constructor(db: Db, batching: { delayMs: number; maxItems: number }) {
    this.db = db;
    this.groups = new Batcher((addresses) => selectGroups(db, addresses), { ...batching, maxParallel: 2 });
  }

  /** Null: nothing holds it. */
  async of(mail: { tenantId: string; recipient: string }): Promise<HeldBack | null> {
    const holds = await holdsOf({ db: this.db, tenantId: mail.tenantId });
    if (holds.size === 0) return null;
    return holds.get(await this.groups.add(mail.recipient)) ?? null;
  }
}

/** What would hold marketing mails to addresses now, in their order. */
export async function explainHolds(
  ctx: Pick<Ctx, "db" | "tenantId">,
  addresses: readonly string[],
): Promise<(HeldBack | null)[]> {
  const holds = addresses.length === 0 ? none : await holdsOf(ctx);
  if (holds.size === 0) return addresses.map(() => null);
  return (await selectGroups(ctx.db, addresses)).map((group) => holds.get(group) ?? null);
}

function heldBack(hold: MailHold): HeldBack {
  const detail = `Marketing to ${groupName(hold.group)} is held: ${rateText(hold.cause, hold)}. It goes out when the rate is lower again or somebody releases it on the page Deliverability.`;
  return { group: hold.group, detail };
}

/** Holds that have ended, once every process has seen it, and whose messages are still put off. For the worker. */
export function listEnded(db: Db): Promise<EndedHold[]> {
  return selectEnded(db, 5);
}
