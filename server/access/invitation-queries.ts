import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface InvitationRow {
  id: string;
  email: string;
  name: string;
  assignments: { roleId: string; unitId: string | null }[];
  invitedById: string | null;
  invitedByName: string;
  links: number;
  linkedAt: Date;
  expiresAt: Date;
  createdAt: Date;
}

const invitationColumns = `i.id, i.email, i.name, i.assignments, i.invited_by_id AS "invitedById",
  i.invited_by_name AS "invitedByName", i.links, i.linked_at AS "linkedAt", i.expires_at AS "expiresAt",
  i.created_at AS "createdAt"`;

/** Invitations of these units have no place outside them; $2 being null, all are visible. */
const withinUnits = `($2::uuid[] IS NULL OR NOT EXISTS (
  SELECT FROM jsonb_array_elements(i.assignments) AS e
  WHERE e->>'unitId' IS NULL OR NOT (e->>'unitId')::uuid = ANY ($2)))`;

/** Invitations that were neither accepted nor withdrawn, expired ones included, newest first. */
export async function selectInvitations(
  ctx: TenantDb,
  input: { unitIds: string[] | null; id?: string; email?: string; before: string | null; limit: number },
): Promise<InvitationRow[]> {
  return queryInTenant<InvitationRow>(
    ctx,
    `SELECT ${invitationColumns} FROM invitations i
     WHERE i.tenant_id = $1 AND i.ended_at IS NULL AND ${withinUnits}
       AND ($3::uuid IS NULL OR i.id = $3) AND ($4::text IS NULL OR i.email = $4) AND ($5::uuid IS NULL OR i.id < $5)
     ORDER BY i.id DESC LIMIT $6`,
    [ctx.tenantId, input.unitIds, input.id ?? null, input.email ?? null, input.before, input.limit],
  );
}

/** How many links were made for invitations in the last hour, at most, and how many invitations are open. */
export async function countInvitations(tx: Tx, tenantId: string): Promise<{ links: number; open: number }> {
  const [counts] = await tx.$queryRaw<{ links: number; open: number }[]>`
    SELECT coalesce(sum(links) FILTER (WHERE linked_at > now() - interval '1 hour'), 0)::int AS links,
           (count(*) FILTER (WHERE ended_at IS NULL))::int AS open
    FROM invitations WHERE tenant_id = ${tenantId}::uuid`;
  return counts ?? { links: 0, open: 0 };
}

/** Deletes invitations that ended or expired a month ago: nobody needs their addresses any more. */
export async function deleteOldInvitations(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM invitations WHERE tenant_id = ${tenantId}::uuid
      AND coalesce(ended_at, expires_at) < now() - interval '30 days'`;
}

/** Ends the open invitations that a person answers for, and those to their address. Returns how many. */
export async function endInvitationsOf(
  tx: Tx,
  tenantId: string,
  person: { id: string; email: string },
  at: Date,
): Promise<number> {
  const { count } = await tx.invitation.updateMany({
    where: { tenantId, OR: [{ invitedById: person.id }, { email: person.email }], endedAt: null },
    data: { endedAt: at, outcome: "withdrawn", tokenHash: null },
  });
  return count;
}

/** The tenant and id of an open invitation, by the hash of its token. */
export async function findInvitation(
  db: Db,
  hash: Buffer,
): Promise<{ tenantId: string; id: string } | undefined> {
  const { rows } = await db.pool.query<{ tenantId: string; id: string }>(
    `SELECT tenant_id AS "tenantId", id FROM find_invitation($1)`,
    [hash],
  );
  return rows[0];
}
