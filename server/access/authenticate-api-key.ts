import { LRUCache } from "lru-cache";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx, Grant } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import type { Logger } from "../kernel/log.ts";
import type { EnvironmentKind } from "../tenancy/schemas.ts";
import { apiKeyId, apiKeyMatches, apiKeyName } from "./api-key-token.ts";
import { findApiKey, touchApiKey } from "./queries.ts";

/** What authentication needs to know about a key. */
export interface ApiKeyFacts {
  id: string;
  name: string;
  tenantId: string;
  environmentId: string;
  environmentKind: EnvironmentKind;
  /** Set when the key is bound to one unit. */
  unitId: string | null;
  /** Set when the key is bound to one application. */
  applicationId: string | null;
  rateLimitPerMinute: number;
}

/** The ctx of a request that came with an API key. */
export interface ApiKeyCtx extends Ctx {
  key: ApiKeyFacts;
}

interface KnownKey {
  facts: ApiKeyFacts;
  hash: Buffer;
  grants: readonly Grant[];
  expiresAt: number;
  revoked: boolean;
}

// A revoked key must be refused everywhere within 5 s: this long, plus the lookup itself.
const cache = ttlCache<KnownKey>({ name: "api keys", ttlMs: 1_500, max: 20_000 });
/** When this process last reported a key as used. */
const reported = new LRUCache<string, number>({ max: 20_000 });

async function lookUp(db: Db, name: string): Promise<KnownKey | undefined> {
  const id = apiKeyId(name);
  if (id === undefined) return undefined;
  const row = await findApiKey(db, id);
  if (!row) return undefined;
  return {
    facts: {
      id: row.id,
      name: row.name,
      tenantId: row.tenantId,
      environmentId: row.environmentId,
      environmentKind: row.environmentKind,
      unitId: row.unitId,
      applicationId: row.applicationId,
      rateLimitPerMinute: row.rateLimitPerMinute,
    },
    hash: row.hash,
    grants: [
      {
        permissions: new Set(row.permissions),
        unitId: row.unitId,
        applicationId: row.applicationId,
        environmentId: row.environmentId,
      },
    ],
    expiresAt: row.expiresAt?.getTime() ?? Infinity,
    revoked: row.revokedAt !== null,
  };
}

function report(db: Db, key: ApiKeyFacts, now: number): void {
  if (now - (reported.get(key.id) ?? 0) < 60_000) return;
  reported.set(key.id, now);
  inTenant({ db, tenantId: key.tenantId }, (tx) =>
    touchApiKey(tx, key.tenantId, key.id, new Date(now)),
  ).catch((error: unknown) => {
    reported.delete(key.id);
    logger().warn({ err: error, tenantId: key.tenantId, apiKeyId: key.id }, "the use of a key was not noted");
  });
}

function refused(): DomainError {
  return new DomainError(
    "unauthenticated",
    "Send an API key that is valid: the header is `Authorization: Bearer tdg_…`.",
  );
}

/**
 * The ctx of an API request. Throws `unauthenticated`, the same for a key that is malformed, unknown, wrong, expired or
 * revoked, and `tenant_mismatch` when X-Tenant-Id names another tenant than the key. A key just revoked is refused at once
 * by this process and within two seconds by the others.
 * @param authorizationHeader the Authorization header as received; null when absent
 */
export async function authenticateApiKey(
  db: Db,
  authorizationHeader: string | null | undefined,
  options: { tenantIdHeader?: string | null; requestId: string },
): Promise<ApiKeyCtx> {
  const text = /^bearer +(\S+)$/i.exec(authorizationHeader ?? "")?.[1];
  const name = text === undefined ? undefined : apiKeyName(text);
  if (text === undefined || name === undefined) throw refused();
  const known = await cache.get(name, () => lookUp(db, name));
  const now = Date.now();
  if (!known || !apiKeyMatches(text, known.hash) || known.revoked || known.expiresAt <= now) throw refused();
  const { facts } = known;
  if (options.tenantIdHeader != null && options.tenantIdHeader.toLowerCase() !== facts.tenantId) {
    throw new DomainError(
      "tenant_mismatch",
      "X-Tenant-Id names another tenant than the one the API key belongs to.",
    );
  }
  report(db, facts, now);
  let log: Logger | undefined;
  return {
    db,
    tenantId: facts.tenantId,
    actor: { type: "apiKey", id: facts.id, name: facts.name },
    grants: known.grants,
    requestId: options.requestId,
    // Created only when something is logged, which is rare.
    get log() {
      return (log ??= logger().child({
        requestId: options.requestId,
        tenantId: facts.tenantId,
        apiKeyId: facts.id,
      }));
    },
    now: () => new Date(),
    key: facts,
  };
}

/** After a change of keys or roles: this process reads them again. */
export function forgetApiKeys(): void {
  cache.forget();
}
