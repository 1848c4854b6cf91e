import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

/** What is needed to check a password; the only look-up by e-mail address that crosses tenants. */
export interface SignInRow {
  tenant_id: string;
  tenant_slug: string;
  user_id: string;
  name: string;
  password_hash: string | null;
  disabled_at: Date | null;
}

export async function findSignIn(db: Db, email: string): Promise<SignInRow | undefined> {
  const { rows } = await db.pool.query<SignInRow>("SELECT * FROM find_sign_in($1)", [email]);
  return rows[0];
}

export interface SessionRow {
  id: string;
  user_id: string;
  user_name: string;
  user_email: string;
  tenant_id: string;
  tenant_slug: string;
  tenant_name: string;
  expires_at: Date;
  last_seen_at: Date;
  grants: { permissions: string[]; unitId: string | null; role: string }[];
}

/** A session that is neither revoked nor over, of a person who may still sign in, with what the person may do. */
export async function selectLiveSession(
  ctx: TenantDb,
  input: { sessionId: string; userId: string; idleSeconds: number },
): Promise<SessionRow | undefined> {
  const rows = await queryInTenant<SessionRow>(
    ctx,
    `SELECT s.id, s.user_id, u.name AS user_name, u.email AS user_email, t.id AS tenant_id, t.slug AS tenant_slug,
            t.name AS tenant_name, s.expires_at, s.last_seen_at,
            coalesce((SELECT jsonb_agg(jsonb_build_object('permissions', to_jsonb(r.permissions), 'unitId', a.unit_id, 'role', r.key))
                      FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
                      WHERE a.tenant_id = s.tenant_id AND a.user_id = s.user_id), '[]') AS grants
     FROM sessions s
     JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
     JOIN tenants t ON t.id = s.tenant_id
     WHERE s.tenant_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.revoked_at IS NULL AND u.disabled_at IS NULL
       AND s.expires_at > now() AND s.last_seen_at > now() - make_interval(secs => $4)`,
    [ctx.tenantId, input.sessionId, input.userId, input.idleSeconds],
  );
  return rows[0];
}

/** The live sessions of one person, newest first. */
export async function selectSessions(ctx: TenantDb, input: { userId: string; idleSeconds: number }) {
  return queryInTenant<{
    id: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    ip: string | null;
    user_agent: string | null;
  }>(
    ctx,
    `SELECT id, created_at, last_seen_at, expires_at, ip, user_agent FROM sessions
     WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now()
       AND last_seen_at > now() - make_interval(secs => $3)
     ORDER BY id DESC LIMIT 200`,
    [ctx.tenantId, input.userId, input.idleSeconds],
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
