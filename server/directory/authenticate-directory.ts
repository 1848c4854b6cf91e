import { LRUCache } from "lru-cache";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import { touchToken } from "./queries.ts";
import { readScimToken, scimTokenMatches } from "./scim-token.ts";

/** The ctx of a request of a directory. It may do what the directory's use cases do, and calls no others. */
export interface DirectoryCtx extends Ctx {
  token: { id: string; name: string };
}

interface KnownToken {
  name: string;
  hash: Uint8Array;
  endsAt: number;
}

// A revoked token must be refused everywhere within 5 s.
const cache = ttlCache<KnownToken>({ name: "scim tokens", ttlMs: 1_500, max: 5_000 });
/** When this process last reported a token as used. */
const reported = new LRUCache<string, number>({ max: 5_000 });

async function lookUp(db: Db, tenantId: string, id: string): Promise<KnownToken | undefined> {
  const row = await inTenant({ db, tenantId }, (tx) =>
    tx.scimToken.findUnique({ where: { tenantId_id: { tenantId, id } } }),
  );
  if (!row) return undefined;
  return { name: row.name, hash: row.hash, endsAt: (row.revokedAt ?? row.expiresAt)?.getTime() ?? Infinity };
}

function refused(): DomainError {
  return new DomainError(
    "unauthenticated",
    "Send a token that is valid: `Authorization: Bearer tdg_scim_…`.",
  );
}

/**
 * The ctx of a directory's request. Throws `unauthenticated`, the same for a token that is malformed, unknown, wrong, replaced or
 * revoked; and `organisation_suspended`.
 * @param authorizationHeader the Authorization header as received; null when absent
 */
export async function authenticateDirectory(
  db: Db,
  authorizationHeader: string | null,
  requestId: string,
): Promise<DirectoryCtx> {
  const text = /^bearer +(\S+)$/i.exec(authorizationHeader ?? "")?.[1];
  const named = text === undefined ? undefined : readScimToken(text);
  if (text === undefined || named === undefined) throw refused();
  const { tenantId, id } = named;
  const known = await cache.get(`${tenantId} ${id}`, () => lookUp(db, tenantId, id));
  const now = Date.now();
  if (!known || !scimTokenMatches(text, known.hash) || known.endsAt <= now) throw refused();
  await refuseSuspended(db, tenantId);
  report(db, tenantId, id, now);
  return {
    db,
    tenantId,
    actor: { type: "system", id: null, name: `Directory (${known.name})` },
    grants: [],
    requestId,
    log: logger().child({ requestId, tenantId, scimTokenId: id }),
    now: () => new Date(),
    token: { id, name: known.name },
  };
}

function report(db: Db, tenantId: string, id: string, now: number): void {
  if (now - (reported.get(id) ?? 0) < 60_000) return;
  reported.set(id, now);
  inTenant({ db, tenantId }, (tx) => touchToken(tx, tenantId, id, new Date(now))).catch((error: unknown) => {
    reported.delete(id);
    logger().warn({ err: error, tenantId, scimTokenId: id }, "the use of a SCIM token was not noted");
  });
}

/** After a change of tokens: this process reads them again. */
export function forgetScimTokens(): void {
  cache.forget();
}
