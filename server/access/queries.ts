import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, inTenant, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

/** What is needed to check a password before the tenant is known. */
export interface SignInRow {
  tenantId: string;
  tenantSlug: string;
  userId: string;
  name: string;
  passwordHash: string | null;
  disabledAt: Date | null;
  /** Whether the person has signed in from this address before. */
  knownAddress: boolean;
}

/** The account of an address in an organisation (its slug), or, without one, in the only organisation. */
export async function findSignIn(
  db: Db,
  input: { organisation: string | null; email: string; ip: string | null },
): Promise<SignInRow | undefined> {
  const { organisation, email, ip } = input;
  const result = await db.pool.query("SELECT * FROM find_sign_in($1, $2, $3)", [organisation, email, ip]);
  return camelRows<SignInRow>(result)[0];
}

/** The accounts of an address whose ownership is proven, oldest first, each with the version of its row (holdPerson). */
export async function findIdentities(db: Db, email: string): Promise<(SignInRow & { version: string })[]> {
  return camelRows(await db.pool.query("SELECT * FROM find_identities($1)", [email]));
}

/** Whether there is only one organisation, so that a sign-in need not name it. */
export async function hasOneOrganisation(db: Db): Promise<boolean> {
  const { rows } = await db.pool.query<{ one: boolean }>("SELECT has_one_organisation() AS one");
  return rows[0]?.one ?? false;
}

/**
 * Counts one attempt to sign in; see count_sign_in(). Returns the failures of its source and of the account, including
 * this one.
 */
export async function countAttempt(
  db: Db,
  keys: { source: string; account: string | null; address: string | null; site: string | null },
): Promise<{ waitSeconds: number; failures: number; accountFailures: number }> {
  const { source, account, address, site } = keys;
  const result = await db.pool.query("SELECT * FROM count_sign_in($1, $2, $3, $4)", [
    source,
    account,
    address,
    site,
  ]);
  const [row] = camelRows<{ waitSeconds: number; failures: number | null; accountFailures: number | null }>(
    result,
  );
  return {
    waitSeconds: row?.waitSeconds ?? 0,
    failures: row?.failures ?? 0,
    accountFailures: row?.accountFailures ?? 0,
  };
}

/** Takes back the count of an attempt that succeeded. */
export async function uncountAttempt(
  db: Db,
  keys: { source: string; account: string | null; address: string | null },
): Promise<void> {
  await db.pool.query("SELECT take_back_sign_in($1, $2, $3)", [keys.source, keys.account, keys.address]);
}

export interface SessionRow {
  id: string;
  userId: string;
  userName: string;
  userEmail: string;
  tenantId: string;
  tenantSlug: string;
  tenantName: string;
  expiresAt: Date;
  lastSeenAt: Date;
  /** The organisation asks for a second factor, or for another way than an owner's password, and the person has none. */
  secondFactorMissing: boolean;
  grants: { permissions: string[]; unitId: string | null; role: string }[];
}

/**
 * Whether a session `s` still counts, with what the organisation asks of sign-ins as `p`: changing that ends sessions as revoking
 * them does. $3 and $4 hold where it says nothing. Owners keep their password: it is the way back when no other works.
 */
const live = `s.revoked_at IS NULL AND s.expires_at > now()
       AND s.created_at > now() - make_interval(hours => coalesce(p.session_hours, $3))
       AND s.last_seen_at > now() - make_interval(mins => coalesce(p.idle_minutes, $4))
       AND (p.ways IS NULL OR s.method = ANY (p.ways) OR s.method = 'password' AND EXISTS (
         SELECT FROM role_assignments o JOIN roles w ON w.tenant_id = o.tenant_id AND w.id = o.role_id AND w.key = 'owner'
         WHERE o.tenant_id = s.tenant_id AND o.user_id = s.user_id AND o.unit_id IS NULL))`;
const policy = "LEFT JOIN sign_in_policies p ON p.tenant_id = s.tenant_id";

/** A session that still counts, of a person who may still sign in, with the person's permissions. */
export async function selectLiveSession(
  ctx: TenantDb,
  input: { sessionId: string; userId: string; hours: number; idleMinutes: number },
): Promise<SessionRow | undefined> {
  const rows = await queryInTenant<SessionRow>(
    ctx,
    `SELECT s.id, s.user_id, u.name AS user_name, u.email AS user_email, t.id AS tenant_id, t.slug AS tenant_slug,
            t.name AS tenant_name, s.expires_at, s.last_seen_at,
            (coalesce(p.second_factor, false) OR coalesce(s.method <> ALL (p.ways), false)) AND s.method = 'password'
              AND NOT EXISTS (SELECT FROM second_factors f WHERE f.tenant_id = s.tenant_id AND f.user_id = s.user_id
                              AND f.confirmed_at IS NOT NULL) AS second_factor_missing,
            coalesce((SELECT jsonb_agg(jsonb_build_object('permissions', to_jsonb(r.permissions), 'unitId', a.unit_id, 'role', r.key))
                      FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
                      WHERE a.tenant_id = s.tenant_id AND a.user_id = s.user_id), '[]') AS grants
     FROM sessions s
     JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
     JOIN tenant_facts t ON t.id = s.tenant_id
     ${policy}
     WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.id = $5 AND u.disabled_at IS NULL AND ${live}`,
    [ctx.tenantId, input.userId, input.hours, input.idleMinutes, input.sessionId],
  );
  return rows[0];
}

/** The live sessions of one person, newest first. */
export async function selectSessions(
  ctx: TenantDb,
  input: { userId: string; hours: number; idleMinutes: number },
) {
  return queryInTenant<{
    id: string;
    createdAt: Date;
    lastSeenAt: Date;
    expiresAt: Date;
    ip: string | null;
    userAgent: string | null;
  }>(
    ctx,
    `SELECT s.id, s.created_at, s.last_seen_at, s.expires_at, s.ip, s.user_agent FROM sessions s ${policy}
     WHERE s.tenant_id = $1 AND s.user_id = $2 AND ${live}
     ORDER BY s.id DESC LIMIT 200`,
    [ctx.tenantId, input.userId, input.hours, input.idleMinutes],
  );
}

/** Revokes sessions of one person: the named one, or all but one. Returns the ids that were live until now. */
export async function markSessionsRevoked(
  tx: Tx,
  input: { tenantId: string; userId: string; id?: string; exceptId?: string; at: Date },
): Promise<string[]> {
  const revoked = await tx.session.updateManyAndReturn({
    where: {
      tenantId: input.tenantId,
      userId: input.userId,
      revokedAt: null,
      ...(input.id === undefined ? {} : { id: input.id }),
      ...(input.exceptId === undefined ? {} : { NOT: { id: input.exceptId } }),
    },
    data: { revokedAt: input.at },
    select: { id: true },
  });
  return revoked.map((session) => session.id);
}

/** Revokes the sessions that an identity provider began; returns how many. */
export async function markProviderSessionsRevoked(
  tx: Tx,
  input: { tenantId: string; providerId: string; at: Date },
): Promise<number> {
  const { tenantId, providerId, at } = input;
  const { count } = await tx.session.updateMany({
    where: { tenantId, providerId, revokedAt: null },
    data: { revokedAt: at },
  });
  return count;
}

/** A key and its permissions, looked up before any tenant is known. */
export interface ApiKeyRow {
  tenantId: string;
  tenantSlug: string;
  id: string;
  name: string;
  hash: Buffer;
  environmentId: string;
  environmentKind: "production" | "nonproduction" | "sandbox";
  unitId: string | null;
  applicationId: string | null;
  permissions: string[];
  rateLimitPerMinute: number;
  expiresAt: Date | null;
  revokedAt: Date | null;
  allowedNetworks: string[];
  /** Of an agent's key; the limits are null when the agent is gone. */
  agentId: string | null;
  agentRecipients: string[] | null;
  agentHourlyCap: number | null;
  agentLaterStages: boolean | null;
}

export async function findApiKey(db: Db, id: string): Promise<ApiKeyRow | undefined> {
  const result = await db.pool.query({
    name: "find_api_key",
    text: "SELECT * FROM find_api_key($1)",
    values: [id],
  });
  return camelRows<ApiKeyRow>(result)[0];
}

export interface ListedApiKeyRow {
  id: string;
  name: string;
  hint: string;
  environmentId: string;
  unitId: string | null;
  applicationId: string | null;
  roleKey: string;
  roleName: string;
  rateLimitPerMinute: number;
  purpose: string;
  allowedNetworks: string[];
  ownerId: string | null;
  ownerName: string | null;
  agentId: string | null;
  recipients: string[] | null;
  hourlyCap: number | null;
  laterStages: boolean | null;
  usedLastHour: number;
  /** Whose it is is suspended. */
  paused: boolean;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
  rotatedFromId: string | null;
}

/** Keys in the scopes, newest first. A key of an application is also its unit's. */
export async function selectApiKeys(
  ctx: TenantDb,
  input: {
    scopes: Required<Scope>[] | null;
    environmentId?: string;
    id?: string;
    includeEnded: boolean;
    before?: string;
    limit: number;
  },
): Promise<ListedApiKeyRow[]> {
  const where = new Conditions([ctx.tenantId, input.limit], "k.tenant_id = $1")
    .within(input.scopes, {
      unit: "coalesce(k.unit_id, a.unit_id)",
      application: "k.application_id",
      environment: "k.environment_id",
    })
    .given("k.environment_id = ?", input.environmentId)
    .given("k.id = ?", input.id)
    .given("k.id < ?", input.before);
  if (!input.includeEnded)
    where.and("k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())");
  return queryInTenant<ListedApiKeyRow>(
    ctx,
    `SELECT k.id, k.name, k.hint, k.environment_id, coalesce(k.unit_id, a.unit_id) AS unit_id, k.application_id,
            coalesce(r.key, '') AS role_key, coalesce(r.name, 'deleted') AS role_name, k.rate_limit_per_minute, k.purpose, k.allowed_networks,
            k.created_by_id AS owner_id, u.name AS owner_name, u.disabled_at IS NOT NULL AS paused, k.created_at,
            k.expires_at, k.revoked_at, k.last_used_at, k.last_used_from, k.rotated_from_id,
            k.agent_id, g.recipients, g.hourly_cap, g.later_stages,
            coalesce((SELECT sum(m.used) FROM agent_minutes m WHERE m.tenant_id = k.tenant_id AND m.agent_id = k.agent_id
                      AND m.minute >= date_trunc('minute', now()) - interval '60 minutes'), 0)::int AS used_last_hour
     FROM api_keys k
     LEFT JOIN agents g ON g.tenant_id = k.tenant_id AND g.id = k.agent_id
     LEFT JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = k.role_id
     LEFT JOIN application_facts a ON a.tenant_id = k.tenant_id AND a.id = k.application_id
     LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.created_by_id
     WHERE ${where.sql}
     ORDER BY k.id DESC LIMIT $2`,
    where.values,
  );
}

/** Records uses of keys of any tenants in one statement. */
export async function noteKeyUses(
  db: Db,
  uses: readonly { tenantId: string; id: string; at: Date; address: string | null }[],
): Promise<void> {
  await db.pool.query("SELECT note_key_uses($1, $2, $3, $4)", [
    uses.map((use) => use.tenantId),
    uses.map((use) => use.id),
    uses.map((use) => use.at),
    uses.map((use) => use.address),
  ]);
}

export function selectApiKey(ctx: TenantDb, id: string) {
  const { tenantId } = ctx;
  return inTenant(ctx, (tx) => tx.apiKey.findUnique({ where: { tenantId_id: { tenantId, id } } }));
}

/** One key, locked until the transaction ends, so that two changes of it happen one after the other. */
export async function lockApiKey(tx: Tx, tenantId: string, id: string) {
  await tx.$queryRaw`SELECT id FROM api_keys WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return tx.apiKey.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
}

/** The limits of an agent, locked until the transaction ends. */
export async function lockAgent(tx: Tx, tenantId: string, id: string) {
  await tx.$queryRaw`SELECT id FROM agents WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return tx.agent.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
}

export interface KeyManagerRow {
  id: string;
  name: string;
  email: string;
}

/** Members who manage keys in the unit or the whole tenant, or one of them, by name. */
export async function selectKeyManagers(
  tx: Tx,
  tenantId: string,
  where: { unitId: string | null; id?: string; limit: number },
): Promise<KeyManagerRow[]> {
  return tx.$queryRaw`
    SELECT u.id, u.name, u.email FROM users u
    WHERE u.tenant_id = ${tenantId}::uuid AND u.disabled_at IS NULL AND (${where.id ?? null}::uuid IS NULL OR u.id = ${where.id ?? null}::uuid)
      AND EXISTS (
        SELECT FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
        WHERE a.tenant_id = u.tenant_id AND a.user_id = u.id AND 'api_keys:manage' = ANY (r.permissions)
          AND (a.unit_id IS NULL OR a.unit_id = ${where.unitId}::uuid))
    ORDER BY u.name, u.id LIMIT ${where.limit}`;
}

export interface EndingKeyRow {
  tenantId: string;
  id: string;
  name: string;
  environmentId: string;
  unitId: string | null;
  expiresAt: Date;
  /** The warning that is due: so many days before the end, at most. */
  days: number;
  ownerId: string | null;
  ownerName: string | null;
  ownerEmail: string | null;
}

/** Keys of any tenants whose next warning is due, soonest end first, in turns by tenant (worker's role). */
export async function selectEndingKeys(
  db: Db,
  limits: { first: number; last: number; all: number; each: number },
): Promise<EndingKeyRow[]> {
  const { first, last, all, each } = limits;
  return camelRows(
    await db.pool.query(
      `SELECT * FROM (
         SELECT k.tenant_id, k.id, k.name, k.environment_id, coalesce(k.unit_id, a.unit_id) AS unit_id, k.expires_at, w.days,
                u.id AS owner_id, u.name AS owner_name, u.email AS owner_email,
                row_number() OVER (PARTITION BY k.tenant_id ORDER BY k.expires_at, k.id) AS place
         FROM api_keys k
         CROSS JOIN LATERAL (SELECT CASE WHEN k.expires_at <= now() + make_interval(days => $2) THEN $2::int ELSE $1::int END AS days) AS w
         LEFT JOIN application_facts a ON a.tenant_id = k.tenant_id AND a.id = k.application_id
         LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.created_by_id
         WHERE k.revoked_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + make_interval(days => $1)
           AND (k.warned_days IS NULL OR k.warned_days > w.days)
           AND k.created_at < k.expires_at - make_interval(days => w.days) AND u.disabled_at IS NULL
           AND NOT EXISTS (SELECT FROM api_keys s WHERE s.tenant_id = k.tenant_id AND s.rotated_from_id = k.id)
       ) AS due WHERE place <= $4 ORDER BY place, expires_at, id LIMIT $3`,
      [first, last, all, each],
    ),
  );
}

/** Valid keys of a person, oldest first, locked until the transaction ends. A key of an application is also its unit's. */
export async function lockKeysOf(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<
  {
    id: string;
    name: string;
    hint: string;
    environmentId: string;
    unitId: string | null;
    applicationId: string | null;
    permissions: string[];
    lastUsedAt: Date | null;
  }[]
> {
  return tx.$queryRaw`
    SELECT k.id, k.name, k.hint, k.environment_id AS "environmentId", coalesce(k.unit_id, a.unit_id) AS "unitId",
           k.application_id AS "applicationId", r.permissions, k.last_used_at AS "lastUsedAt"
    FROM api_keys k
    JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = k.role_id
    LEFT JOIN application_facts a ON a.tenant_id = k.tenant_id AND a.id = k.application_id
    WHERE k.tenant_id = ${tenantId}::uuid AND k.created_by_id = ${userId}::uuid AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())
    ORDER BY k.id FOR UPDATE OF k`;
}

/** Whether a person was removed. Nobody can remove them until the transaction ends. */
export async function wasRemoved(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ removed: boolean }[]>`
    SELECT disabled_at IS NOT NULL AS removed FROM users
    WHERE tenant_id = ${tenantId}::uuid AND id = ${userId}::uuid FOR SHARE`;
  return rows[0]?.removed ?? false;
}

/** Adds the counts of one process and returns the sum over all processes by key: one statement for all tenants. */
export async function addRequests(
  db: Db,
  rows: { tenantId: string; apiKeyId: string; windowStart: Date; used: number }[],
): Promise<Map<string, number>> {
  const result = await db.pool.query<{ apiKeyId: string; used: number }>(
    'SELECT api_key_id AS "apiKeyId", used FROM add_requests($1, $2, $3, $4)',
    [
      rows.map((row) => row.tenantId),
      rows.map((row) => row.apiKeyId),
      rows.map((row) => row.windowStart),
      rows.map((row) => row.used),
    ],
  );
  return new Map(result.rows.map((row) => [row.apiKeyId, row.used]));
}

/** Deletes the counts of past minutes. */
export async function purgeRateWindows(db: Db): Promise<void> {
  await db.pool.query("SELECT purge_rate_windows()");
}

export interface CurrentGrantRow {
  permissions: string[];
  /** They are those of a key of an agent. */
  agent: boolean;
  unitId: string | null;
  applicationId: string | null;
  environmentId: string | null;
}

/** What a person or an API key may do now; nothing once they are disabled, removed, revoked or expired. */
export async function selectCurrentGrants(
  ctx: TenantDb,
  actor: { type: "user" | "apiKey"; id: string },
): Promise<CurrentGrantRow[]> {
  const ofUser = `
    SELECT r.permissions, false AS agent, a.unit_id, NULL::uuid AS application_id, NULL::uuid AS environment_id
    FROM users u
    JOIN role_assignments a ON a.tenant_id = u.tenant_id AND a.user_id = u.id
    JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
    WHERE u.tenant_id = $1 AND u.id = $2 AND u.disabled_at IS NULL`;
  const ofKey = `
    SELECT r.permissions, k.agent_id IS NOT NULL AS agent, k.unit_id, k.application_id, k.environment_id
    FROM api_keys k JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = k.role_id
    LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.created_by_id
    WHERE k.tenant_id = $1 AND k.id = $2 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND u.disabled_at IS NULL`;
  return queryInTenant<CurrentGrantRow>(ctx, actor.type === "user" ? ofUser : ofKey, [
    ctx.tenantId,
    actor.id,
  ]);
}

interface KeyOwnerRow {
  ownerId: string | null;
  /** Who else may have its text, as in giveKeys. */
  madeById: string | null;
  /** Somebody else may have its text, and is not known to have been removed. */
  shared: boolean;
}

/** Whose an API key is, and who else may have its text. */
export async function selectKeyOwner(ctx: TenantDb, keyId: string): Promise<KeyOwnerRow> {
  const rows = await queryInTenant<KeyOwnerRow>(
    ctx,
    `SELECT k.created_by_id AS owner_id, k.made_by_id,
            coalesce(k.made_by_id <> k.created_by_id, false) AND NOT EXISTS (
              SELECT FROM users u WHERE u.tenant_id = k.tenant_id AND u.id = k.made_by_id AND u.removed_at IS NOT NULL) AS shared
     FROM api_keys k WHERE k.tenant_id = $1 AND k.id = $2`,
    [ctx.tenantId, keyId],
  );
  return rows[0] ?? { ownerId: null, madeById: null, shared: false };
}

/**
 * Makes keys somebody's, in one statement with who else may have their text: whose they were. Of a key that was nobody's, or was
 * given before, that may be several people: its own id stands for them, which is no person's and so never counts as gone.
 */
export async function giveKeys(tx: Tx, tenantId: string, ids: readonly string[], to: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET made_by_id = CASE WHEN made_by_id IS NULL THEN coalesce(created_by_id, id) ELSE id END,
                        created_by_id = ${to}::uuid
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[])`;
}

/** Whose keys are, and whether they were ended by somebody. */
export function selectKeyStandings(
  ctx: TenantDb,
  ids: readonly string[],
): Promise<{ id: string; owner: string | null; ended: boolean }[]> {
  return queryInTenant(
    ctx,
    `SELECT k.id, u.name AS owner, k.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL AS ended
     FROM api_keys k LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.created_by_id
     WHERE k.tenant_id = $1 AND k.id = ANY ($2::uuid[])`,
    [ctx.tenantId, ids],
  );
}

/** Members with a role that holds the permission in the unit or the whole tenant, oldest first. */
export async function selectHolders(
  tx: Tx,
  tenantId: string,
  where: { permission: string; unitId: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT u.id FROM roles r
    JOIN role_assignments a ON a.tenant_id = r.tenant_id AND a.role_id = r.id
    JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
    WHERE r.tenant_id = ${tenantId}::uuid AND ${where.permission} = ANY(r.permissions) AND u.disabled_at IS NULL
      AND (a.unit_id IS NULL OR a.unit_id = ${where.unitId}::uuid)
    ORDER BY u.id LIMIT ${where.limit}`;
  return rows.map((row) => row.id);
}

/** What members are called, in alphabetical order. */
export async function selectNames(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.user.findMany({
    where: { tenantId, id: { in: [...ids] } },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return rows.map((row) => row.name);
}

/** Those of these people who are members and may sign in. */
export function selectSignable(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string; email: string }[]> {
  return tx.$queryRaw`SELECT id, name, email FROM member_facts
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${ids}::uuid[]) AND active AND NOT removed ORDER BY id`;
}

/** Locks the row of a person until the transaction ends, so that two changes of how they sign in happen one after the other. */
export async function lockPerson(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM users WHERE tenant_id = ${tenantId}::uuid AND id = ${userId}::uuid FOR NO KEY UPDATE`;
}

/**
 * As lockPerson, and gives the row another version: a sign-in that began with the one before starts no session any more. Called
 * before a person's sessions are ended where nothing else of the row changes.
 */
export async function outdateSignIns(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE users SET name = name WHERE tenant_id = ${tenantId}::uuid AND id = ${userId}::uuid`;
}

/**
 * The row of a person, held until the transaction ends: whoever ends their sessions changes it first, and so either sees the session
 * that this transaction starts or is seen here.
 */
export async function holdPerson(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<{ version: string; passwordHash: string | null; disabledAt: Date | null } | undefined> {
  // Of one table alone: after a wait Postgres reads the locked row anew, but nothing that is joined to it.
  const rows = await tx.$queryRaw<
    { version: string; passwordHash: string | null; disabledAt: Date | null }[]
  >`
    SELECT xmin::text AS version, password_hash AS "passwordHash", disabled_at AS "disabledAt" FROM users
    WHERE tenant_id = ${tenantId}::uuid AND id = ${userId}::uuid FOR SHARE`;
  return rows[0];
}

interface PasswordLinkRow {
  userId: string;
  name: string;
  email: string;
  /** Short name of the organisation. */
  organisation: string;
  hash: Uint8Array;
  expiresAt: Date;
  disabled: boolean;
}

/** A link to choose a password and whose it is. */
export async function selectPasswordLink(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<PasswordLinkRow | undefined> {
  const rows = await tx.$queryRaw<PasswordLinkRow[]>`
    SELECT l.user_id AS "userId", u.name, u.email, t.slug AS organisation, l.hash, l.expires_at AS "expiresAt",
           u.disabled_at IS NOT NULL AS disabled
    FROM password_links l
    JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id
    JOIN tenant_facts t ON t.id = l.tenant_id
    WHERE l.tenant_id = ${tenantId}::uuid AND l.id = ${id}::uuid`;
  return rows[0];
}

/** Whether the tenant has a valid key of one of the environments. */
export async function hasValidKey(ctx: TenantDb, environmentIds: readonly string[]): Promise<boolean> {
  const rows = await queryInTenant<{ found: boolean }>(
    ctx,
    `SELECT EXISTS (SELECT FROM api_keys WHERE tenant_id = $1 AND environment_id = ANY ($2) AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > now())) AS found`,
    [ctx.tenantId, environmentIds],
  );
  return rows[0]?.found ?? false;
}

/**
 * People with a role in a unit, groups of the directory and rules of identity providers that give one there, and valid keys that are bound to the unit,
 * application or environment that is given.
 */
export async function selectAccessCounts(
  tx: Tx,
  tenantId: string,
  place: { unitId: string | null; applicationId: string | null; environmentId: string | null },
): Promise<{ members: number; groups: number; apiKeys: number }> {
  const [row] = await tx.$queryRaw<{ members: number; groups: number; apiKeys: number }[]>`
    SELECT
      (SELECT count(DISTINCT user_id)::int FROM role_assignments
       WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${place.unitId}::uuid) AS members,
      (SELECT count(DISTINCT group_id)::int FROM directory_mapping_facts
       WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${place.unitId}::uuid)
      + (SELECT count(*)::int FROM claim_rule_facts
         WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${place.unitId}::uuid) AS groups,
      (SELECT count(*)::int FROM api_keys
       WHERE tenant_id = ${tenantId}::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
         AND (unit_id = ${place.unitId}::uuid OR application_id = ${place.applicationId}::uuid
              OR environment_id = ${place.environmentId}::uuid)) AS "apiKeys"`;
  return row ?? { members: 0, groups: 0, apiKeys: 0 };
}
