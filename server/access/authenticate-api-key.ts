import { ttlCache } from "../kernel/cache.ts";
import { isWithin, parseProxyRanges } from "../kernel/client-address.ts";
import type { ProxyRanges } from "../kernel/client-address.ts";
import type { Actor, Ctx, Grant } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import type { Logger } from "../kernel/log.ts";
import { agentPermissions } from "../operations/permissions.ts";
import type { EnvironmentKind } from "../tenancy/schemas.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import { agentLimits } from "./agent-limits.ts";
import { apiKeyId, apiKeyMatches, apiKeyName } from "./api-key-token.ts";
import { noteKeyUse } from "./key-uses.ts";
import { findApiKey } from "./queries.ts";

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
  actor: Actor;
  /** null: it may be used from anywhere. */
  networks: ProxyRanges | null;
  hash: Buffer;
  grants: readonly Grant[];
  expiresAt: number;
  revoked: boolean;
}

// A revoked key must be refused everywhere within 5 s: this long, plus the lookup itself.
const cache = ttlCache<KnownKey>({ name: "api keys", ttlMs: 1_500, max: 20_000, ahead: true });

async function lookUp(db: Db, name: string): Promise<KnownKey | undefined> {
  const id = apiKeyId(name);
  if (id === undefined) return undefined;
  const row = await findApiKey(db, id);
  if (!row) return undefined;
  const { agentId, agentRecipients, agentHourlyCap, agentLaterStages } = row;
  // Every limit of an agent that is not known allows nothing.
  const agent =
    agentId === null
      ? undefined
      : agentLimits({
          id: agentId,
          recipients: agentRecipients ?? [],
          hourlyCap: agentHourlyCap ?? 0,
          laterStages: agentLaterStages ?? false,
        });
  return {
    actor: { type: "apiKey", id: row.id, name: row.name, ...(agent ? { agent } : {}) },
    networks: row.allowedNetworks.length === 0 ? null : parseProxyRanges(row.allowedNetworks),
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
        permissions: new Set(agent ? agentPermissions(row.permissions) : row.permissions),
        unitId: row.unitId,
        applicationId: row.applicationId,
        environmentId: row.environmentId,
      },
    ],
    expiresAt: row.expiresAt?.getTime() ?? Infinity,
    revoked: row.revokedAt !== null,
  };
}

function refused(): DomainError {
  return new DomainError(
    "unauthenticated",
    "Send a valid API key in the header `Authorization: Bearer tdg_…`.",
  );
}

/**
 * The ctx of an API request. Throws `unauthenticated`, the same for a key that is malformed, unknown, wrong, expired or
 * revoked; `address_not_allowed` from outside the key's networks; `tenant_mismatch` when X-Tenant-Id names another tenant than
 * the key; and `organisation_suspended`. A key just revoked is refused at once by this process and within two seconds by the
 * others.
 * @param authorizationHeader the Authorization header as received; null when absent
 * @param options.clientAddress where the request came from, as the front door knows it; unknown, a key that is bound to
 *   networks is refused
 */
export async function authenticateApiKey(
  db: Db,
  authorizationHeader: string | null | undefined,
  options: { tenantIdHeader?: string | null; clientAddress?: string | null; requestId: string },
): Promise<ApiKeyCtx> {
  const text = /^bearer +(\S+)$/i.exec(authorizationHeader ?? "")?.[1];
  const name = text === undefined ? undefined : apiKeyName(text);
  if (text === undefined || name === undefined) throw refused();
  const known = await cache.get(name, () => lookUp(db, name));
  const now = Date.now();
  if (!known || !apiKeyMatches(text, known.hash) || known.revoked || known.expiresAt <= now) throw refused();
  const { facts } = known;
  const address = options.clientAddress ?? null;
  if (known.networks !== null && !isWithin(address, known.networks)) {
    throw new DomainError("address_not_allowed", "This API key can't be used from this IP address.");
  }
  if (options.tenantIdHeader != null && options.tenantIdHeader.toLowerCase() !== facts.tenantId) {
    throw new DomainError("tenant_mismatch", "X-Tenant-Id is not the tenant of the API key.");
  }
  await refuseSuspended(db, facts.tenantId);
  noteKeyUse(db, facts, address, now);
  let log: Logger | undefined;
  return {
    db,
    tenantId: facts.tenantId,
    actor: known.actor,
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
