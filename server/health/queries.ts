import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { IncidentKind } from "./schemas.ts";

/** Rules of the tenant that name the connection, with the other enabled connections of each that fit its channels. */
const othersOfRules = `
  FROM connection_facts mine
  JOIN rule_facts r ON r.tenant_id = mine.tenant_id AND r.enabled AND EXISTS (
    SELECT FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
    WHERE member->>'connectionId' = mine.id::text)
  LEFT JOIN LATERAL (
    SELECT c.id, coalesce(h.breaker, 'closed') AS breaker
    FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
    JOIN connection_facts c ON c.tenant_id = mine.tenant_id AND c.id::text = member->>'connectionId' AND c.id <> mine.id
      AND c.enabled AND (r.channel = ANY (c.channels) OR (r.channel IS NULL AND c.channels @> mine.channels))
    LEFT JOIN connection_states h ON h.tenant_id = c.tenant_id AND h.connection_id = c.id) AS other ON true
  WHERE mine.tenant_id = $1::uuid AND mine.id = $2::uuid`;

/** Whether some rule has no other working connection: its messages wait for this one. */
export async function isOnlyMember(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<{ alone: boolean }[]>(
    `SELECT coalesce(bool_or(alone), false) AS alone FROM (
       SELECT coalesce(bool_and(other.breaker <> 'closed'), true) AS alone ${othersOfRules} GROUP BY r.id) AS rules`,
    key.tenantId,
    key.connectionId,
  );
  return rows[0]?.alone ?? false;
}

/** Moves the probes of open connections in the same rules forward to `by` at the latest. */
export async function advanceOtherProbes(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  by: Date,
): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE connection_states SET next_probe_at = least(next_probe_at, $3)
     WHERE tenant_id = $1::uuid AND breaker = 'open' AND connection_id IN (SELECT other.id ${othersOfRules})`,
    key.tenantId,
    key.connectionId,
    by,
  );
}

/** How many incidents are kept per connection. */
const keptIncidents = 500;

export async function insertIncident(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  incident: { kind: IncidentKind; code: string | null; detail: string | null; at: Date },
): Promise<void> {
  await tx.connectionIncident.create({ data: { ...key, id: newId(), ...incident } });
  await tx.$executeRaw`
    DELETE FROM connection_incidents
    WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid AND id <= (
      SELECT id FROM connection_incidents
      WHERE tenant_id = ${key.tenantId}::uuid AND connection_id = ${key.connectionId}::uuid
      ORDER BY id DESC OFFSET ${keptIncidents} LIMIT 1)`;
}

/** How many incidents of one outage are kept: a provider may word the same failure differently each time. */
const maxIncidentsPerOutage = 50;

/** Writes an incident unless one of the same outage says the same: a connection that fails as before is not news. */
export async function insertIncidentIfNew(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
  incident: { kind: IncidentKind; code: string | null; detail: string | null; at: Date },
): Promise<void> {
  const newest = await tx.connectionIncident.findMany({
    where: key,
    orderBy: { id: "desc" },
    select: { kind: true, code: true, detail: true },
    take: maxIncidentsPerOutage,
  });
  const ended = newest.findIndex(({ kind }) => kind === "closed");
  const outage = ended < 0 ? newest : newest.slice(0, ended);
  const told = outage.some(
    ({ kind, code, detail }) =>
      kind === incident.kind && code === incident.code && detail === incident.detail,
  );
  if (!told && outage.length < maxIncidentsPerOutage) await insertIncident(tx, key, incident);
}

export interface IncidentRow {
  id: string;
  connectionId: string;
  kind: IncidentKind;
  code: string | null;
  detail: string | null;
  at: Date;
}

/** Incidents of some connections, newest first; `before` is the last id of the page before. */
export function selectIncidents(
  ctx: Pick<Ctx, "db" | "tenantId">,
  where: { connectionIds: string[]; before: string | undefined; limit: number },
): Promise<IncidentRow[]> {
  return queryInTenant<IncidentRow>(
    ctx,
    `SELECT i.id, i.connection_id AS "connectionId", i.kind, i.code, i.detail, i.at
     FROM unnest($2::uuid[]) AS wanted(id) CROSS JOIN LATERAL (
       SELECT * FROM connection_incidents i WHERE i.tenant_id = $1 AND i.connection_id = wanted.id
         AND ($3::uuid IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4) i
     ORDER BY i.id DESC LIMIT $4`,
    [ctx.tenantId, where.connectionIds, where.before ?? null, where.limit],
  );
}

/** Where enabled rules name a connection: environment and, when the rule is for only one, application. */
export function selectUses(
  tx: Tx,
  key: { tenantId: string; connectionId: string },
): Promise<{ environmentId: string; applicationId: string | null }[]> {
  return tx.$queryRaw<{ environmentId: string; applicationId: string | null }[]>`
    SELECT DISTINCT r.environment_id AS "environmentId", r.application_id AS "applicationId" FROM rule_facts r
    WHERE r.tenant_id = ${key.tenantId}::uuid AND r.enabled AND EXISTS (
      SELECT FROM jsonb_array_elements(r.tiers) AS tier, jsonb_array_elements(tier) AS member
      WHERE member->>'connectionId' = ${key.connectionId})
    LIMIT 1000`;
}

export async function selectApplicationsOfUnit(tx: Tx, tenantId: string, unitId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM application_facts WHERE tenant_id = ${tenantId}::uuid AND unit_id = ${unitId}::uuid LIMIT 1000`;
  return rows.map((row) => row.id);
}
