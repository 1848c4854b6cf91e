import { ttlCache } from "../kernel/cache.ts";
import type { Ctx, Grant } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { isUuid, newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { isSuspended } from "../tenancy/suspension.ts";
import { markSessionsRevoked, selectLiveSession } from "./queries.ts";
import { sessionLimits } from "./schemas.ts";
import type { SignInWay } from "./schemas.ts";

/** A session ends this long after sign-in in any case. */
export const sessionSeconds = sessionLimits.hours.max * 3_600;
/** How long a session lasts, and how long without use, where the organisation says nothing. */
export const lifeByDefault = {
  hours: sessionLimits.hours.max,
  idleMinutes: sessionLimits.idleMinutes.byDefault,
} as const;

/** What the browser's cookie names. Nothing in it is trusted without the row in `sessions`. */
export interface SessionName {
  sessionId: string;
  tenantId: string;
  userId: string;
}

/** A live session with the person and their permissions, at most three seconds old. */
export interface PortalSession {
  id: string;
  expiresAt: Date;
  /** When somebody last worked in it, to the minute. */
  lastSeenAt: Date;
  user: { id: string; name: string; email: string };
  tenant: { id: string; slug: string; name: string };
  grants: readonly Grant[];
  /** Keys of the person's roles, e.g. "owner". */
  roles: readonly string[];
  /**
   * The organisation asks for a second factor, and the person has none: they may do nothing before they have set one up, so there
   * are neither grants nor roles.
   */
  secondFactorMissing: boolean;
}

const cache = ttlCache<PortalSession>({ name: "sessions", ttlMs: 2_000, max: 10_000, ahead: true });

/** Starts a session in the caller's transaction. */
export async function insertSession(
  tx: Tx,
  input: {
    tenantId: string;
    userId: string;
    way: SignInWay;
    /** The organisation's identity provider that vouched for them. */
    providerId?: string | null;
    ip: string | null;
    userAgent: string | null;
    at: Date;
  },
): Promise<string> {
  const id = newId();
  await tx.session.create({
    data: {
      tenantId: input.tenantId,
      id,
      userId: input.userId,
      createdAt: input.at,
      lastSeenAt: input.at,
      expiresAt: new Date(input.at.getTime() + sessionSeconds * 1_000),
      ip: input.ip,
      userAgent: input.userAgent?.slice(0, 300) ?? null,
      method: input.way,
      providerId: input.providerId ?? null,
    },
  });
  return id;
}

/** Notes that somebody works in a session, at most once a minute: it does not end for idleness yet. Not awaited. */
export function noteWork(db: Db, session: PortalSession): void {
  const at = new Date();
  if (session.lastSeenAt.getTime() >= at.getTime() - 60_000) return;
  const { id } = session;
  const tenantId = session.tenant.id;
  // In what is kept of it as well, so that calls at the same time note it once.
  session.lastSeenAt = at;
  inTenant({ db, tenantId }, (tx) =>
    tx.session.updateMany({ where: { tenantId, id, revokedAt: null }, data: { lastSeenAt: at } }),
  ).catch((error: unknown) => {
    logger().warn({ err: error, tenantId }, "the time of a session's last use was not stored");
  });
}

/**
 * The live session that a cookie names, or undefined when it is revoked, expired, idle for too long, or the person was
 * disabled, or the organisation is suspended. Cached for two seconds; a revocation in this process takes effect at once.
 */
export async function loadSession(db: Db, name: SessionName): Promise<PortalSession | undefined> {
  if (!isUuid(name.tenantId) || !isUuid(name.sessionId) || !isUuid(name.userId)) return undefined;
  const session = await cache.get(`${name.tenantId} ${name.sessionId} ${name.userId}`, async () => {
    const row = await selectLiveSession(
      { db, tenantId: name.tenantId },
      { sessionId: name.sessionId, userId: name.userId, ...lifeByDefault },
    );
    if (!row) return undefined;
    const grants = row.secondFactorMissing ? [] : row.grants;
    return {
      id: row.id,
      secondFactorMissing: row.secondFactorMissing,
      expiresAt: row.expiresAt,
      lastSeenAt: row.lastSeenAt,
      user: { id: row.userId, name: row.userName, email: row.userEmail },
      tenant: { id: row.tenantId, slug: row.tenantSlug, name: row.tenantName },
      grants: grants.map((grant) => ({
        permissions: new Set(grant.permissions),
        unitId: grant.unitId,
        applicationId: null,
        environmentId: null,
      })),
      roles: [...new Set(grants.map((grant) => grant.role))],
    };
  });
  if (!session || session.expiresAt.getTime() <= Date.now()) return undefined;
  return (await isSuspended(db, session.tenant.id)) ? undefined : session;
}

/** Clears the session cache of this process, after a change of sessions, roles or members. */
export function forgetSessions(): void {
  cache.forget();
}

/** Ends the session that a cookie names; does nothing when it has ended already. */
export async function endSession(db: Db, name: SessionName): Promise<void> {
  if (!isUuid(name.tenantId) || !isUuid(name.sessionId) || !isUuid(name.userId)) return;
  await inTenant({ db, tenantId: name.tenantId }, (tx) =>
    markSessionsRevoked(tx, {
      tenantId: name.tenantId,
      userId: name.userId,
      id: name.sessionId,
      at: new Date(),
    }),
  );
  cache.forget(`${name.tenantId} ${name.sessionId} ${name.userId}`);
}

/** The ctx of a signed-in person's request. */
export function sessionCtx(db: Db, session: PortalSession, requestId: string): Ctx {
  return {
    db,
    tenantId: session.tenant.id,
    actor: { type: "user", ...session.user },
    grants: session.grants,
    requestId,
    log: logger().child({ requestId, tenantId: session.tenant.id }),
    now: () => new Date(),
  };
}
