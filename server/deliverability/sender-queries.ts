import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { mostDomains } from "./vocabulary.ts";
import type { DnsPart, DnsPartName } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;
type Parts = Record<DnsPartName, DnsPart | null>;

/** The domains that an organisation's mails come from, by connection; the simulator's are nobody's. */
const domainsSql = (tenant: string) => `
  SELECT DISTINCT s.connection_id, CASE WHEN s.kind = 'email_domain' THEN s.address ELSE split_part(s.address, '@', -1) END AS domain
  FROM sender_facts s JOIN connection_facts c ON c.tenant_id = s.tenant_id AND c.id = s.connection_id
  WHERE s.tenant_id = ${tenant} AND s.channel = 'email' AND NOT s.sandbox AND c.enabled`;

export interface SenderDomainRow extends Parts {
  domain: string;
  connectionId: string;
  connection: string;
  provider: string;
  triedAt: Date | null;
  problem: string | null;
}

/** At most one more than are checked. */
export function selectSenderDomains(ctx: Reader): Promise<SenderDomainRow[]> {
  return queryInTenant<SenderDomainRow>(
    ctx,
    `SELECT d.domain, d.connection_id AS "connectionId", c.name AS connection, c.adapter AS provider, k.spf, k.dkim, k.dmarc,
       k.tried_at AS "triedAt", k.problem
     FROM (${domainsSql("$1")}) d
     JOIN connection_facts c ON c.tenant_id = $1 AND c.id = d.connection_id
     LEFT JOIN sender_domain_checks k ON k.tenant_id = $1 AND k.connection_id = d.connection_id AND k.domain = d.domain
     ORDER BY d.domain, c.name, d.connection_id LIMIT $2`,
    [ctx.tenantId, mostDomains + 1],
  );
}

export interface CheckKey {
  tenantId: string;
  connectionId: string;
  domain: string;
}

/**
 * Takes the domains whose last check is longest ago, in turns by organisation (worker's role), and marks them as tried, so that no other
 * process takes them: never checked, a day old, or an hour where something could not be checked.
 */
export async function takeDueDomains(db: Db, limit: number): Promise<CheckKey[]> {
  const { rows } = await db.pool.query<CheckKey>(
    `INSERT INTO sender_domain_checks AS k (tenant_id, connection_id, domain, tried_at)
     SELECT t.id, d.connection_id, d.domain, now() FROM tenant_facts t
     CROSS JOIN LATERAL (${domainsSql("t.id")} ORDER BY 2, 1 LIMIT $2) d
     LEFT JOIN sender_domain_checks o ON o.tenant_id = t.id AND o.connection_id = d.connection_id AND o.domain = d.domain
     WHERE o.tried_at IS NULL OR o.tried_at < now() - CASE WHEN o.problem IS NULL AND coalesce(o.spf, o.dkim, o.dmarc) IS NOT NULL
       THEN interval '1 day' ELSE interval '1 hour' END
     ORDER BY row_number() OVER (PARTITION BY t.id ORDER BY o.tried_at NULLS FIRST), o.tried_at NULLS FIRST LIMIT $1
     ON CONFLICT (tenant_id, connection_id, domain) DO UPDATE SET tried_at = now() WHERE k.tried_at < now() - interval '30 minutes'
     RETURNING k.tenant_id AS "tenantId", k.connection_id AS "connectionId", k.domain`,
    [limit, mostDomains],
  );
  return rows;
}

/** The same for one domain that a person asks for; false when it was tried seconds ago. */
export async function takeDomain(
  tx: Tx,
  { tenantId, connectionId, domain }: CheckKey,
  seconds: number,
): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      INSERT INTO sender_domain_checks AS k (tenant_id, connection_id, domain, tried_at)
      VALUES (${tenantId}::uuid, ${connectionId}::uuid, ${domain}, now())
      ON CONFLICT (tenant_id, connection_id, domain) DO UPDATE SET tried_at = now()
      WHERE k.tried_at < now() - make_interval(secs => ${seconds})`) === 1
  );
}

/** What could not be checked stays as it was. */
export async function saveCheck(
  tx: Tx,
  { tenantId, connectionId, domain }: CheckKey,
  { spf, dkim, dmarc, problem }: Parts & { problem: string | null },
): Promise<void> {
  const json = (part: DnsPart | null) => (part === null ? null : JSON.stringify(part));
  await tx.$executeRaw`
    UPDATE sender_domain_checks SET spf = coalesce(${json(spf)}::jsonb, spf), dkim = coalesce(${json(dkim)}::jsonb, dkim),
      dmarc = coalesce(${json(dmarc)}::jsonb, dmarc), problem = ${problem}, tried_at = now()
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid AND domain = ${domain}`;
}
