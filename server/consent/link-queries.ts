import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";

export interface Link {
  sandbox: boolean;
  address: string;
  linked: string;
  source: string;
}

const rowsOf = (links: readonly Link[]) => [
  links.map(({ sandbox }) => sandbox),
  links.map(({ address }) => address),
  links.map(({ linked }) => linked),
];

/** Those of the links that are not there yet. */
export function selectUnknownLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  links: readonly Link[],
): Promise<{ address: string }[]> {
  return queryInTenant(
    ctx,
    `SELECT x.address FROM unnest($2::boolean[], $3::text[], $4::text[]) AS x (sandbox, address, linked)
     WHERE NOT EXISTS (SELECT FROM address_links l WHERE l.tenant_id = $1 AND l.sandbox = x.sandbox AND l.channel = 'whatsapp'
       AND l.address = x.address AND l.linked_address = x.linked)`,
    [ctx.tenantId, ...rowsOf(links)],
  );
}

/**
 * Until the transaction ends: who links is alone; those who record what is said of people do so together, with the links that they
 * see. Taken before anything else that others may wait for.
 */
export async function lockLinks(tx: Tx, tenantId: string, how: "alone" | "together"): Promise<void> {
  const name = `address links ${tenantId}`;
  if (how === "alone") {
    await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended(${name}, 0)))`;
  } else {
    await tx.$queryRaw`SELECT count(pg_advisory_xact_lock_shared(hashtextextended(${name}, 0)))`;
  }
}

/** Writes a link from both ends. Returns whether it is new. */
export async function insertLinks(tx: Tx, tenantId: string, link: Link, at: Date): Promise<boolean> {
  const { sandbox, address, linked, source } = link;
  const row = { tenantId, sandbox, channel: "whatsapp", source, at };
  const { count } = await tx.addressLink.createMany({
    data: [
      { ...row, address, linkedAddress: linked },
      { ...row, address: linked, linkedAddress: address },
    ],
    skipDuplicates: true,
  });
  return count > 0;
}

/** SQL: addresses and, however many links away, those that are linked to them. */
const reached = (from: string, sandbox: string) => `WITH RECURSIVE reached(origin, address) AS (
    SELECT a, a FROM unnest(${from}::text[]) AS a
    UNION
    SELECT r.origin, l.linked_address FROM reached r JOIN address_links l ON l.tenant_id = $1::uuid AND ${sandbox}
      AND l.channel = 'whatsapp' AND l.address = r.address)`;

/** For each of the addresses that is linked to others: which. */
export async function selectLinked(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await tx.$queryRawUnsafe<{ origin: string; address: string }[]>(
    `${reached("$3", "l.sandbox = $2")} SELECT origin, address FROM reached WHERE address <> origin ORDER BY origin, address`,
    tenantId,
    sandbox,
    addresses,
  );
  return byOrigin(rows);
}

/** The same in a transaction of its own, for who only reads. */
export async function readLinked(
  ctx: Pick<Ctx, "db" | "tenantId">,
  sandbox: boolean,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  return byOrigin(
    await queryInTenant<{ origin: string; address: string }>(
      ctx,
      `${reached("$3", "l.sandbox = $2")} SELECT origin, address FROM reached WHERE address <> origin ORDER BY origin, address`,
      [ctx.tenantId, sandbox, addresses],
    ),
  );
}

function byOrigin(rows: readonly { origin: string; address: string }[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { origin, address } of rows) found.set(origin, [...(found.get(origin) ?? []), address]);
  return found;
}

/** Everything that these addresses are linked to, themselves not included. */
export async function selectWithLinked(
  ctx: Pick<Ctx, "db" | "tenantId">,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await queryInTenant<{ address: string }>(
    ctx,
    `${reached("$2", "true")} SELECT DISTINCT address FROM reached WHERE address <> origin`,
    [ctx.tenantId, addresses],
  );
  return rows.map(({ address }) => address);
}

/** Takes away the oldest links around a new one until a person has at most `most` names. */
export async function trimLinks(tx: Tx, tenantId: string, link: Link, most: number): Promise<void> {
  for (;;) {
    const others = await selectLinked(tx, tenantId, link.sandbox, [link.address]);
    const names = [link.address, ...(others.get(link.address) ?? [])];
    if (names.length <= most) return;
    const removed = await tx.$executeRawUnsafe(
      `WITH oldest AS (
         SELECT l.address, l.linked_address FROM address_links l
         WHERE l.tenant_id = $1::uuid AND l.sandbox = $2 AND l.channel = 'whatsapp' AND l.address = ANY ($3::text[])
           AND (l.address, l.linked_address) NOT IN (($4, $5), ($5, $4))
         ORDER BY l.at, l.address, l.linked_address LIMIT 1
       )
       DELETE FROM address_links l USING oldest o WHERE l.tenant_id = $1::uuid AND l.sandbox = $2 AND l.channel = 'whatsapp'
         AND (l.address, l.linked_address) IN ((o.address, o.linked_address), (o.linked_address, o.address))`,
      tenantId,
      link.sandbox,
      names,
      link.address,
      link.linked,
    );
    if (removed === 0) return;
  }
}

/**
 * Writes for each of a person's addresses what counts of all of them: of each class and region the newest entry, and a suppression.
 * What was said under a name that was erased counts under its token.
 */
export async function unionOfNos(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  names: readonly { address: string; token: string | null }[],
  how: { erased: string; now: Date },
): Promise<void> {
  const json = JSON.stringify(names);
  const asked = `jsonb_to_recordset($3::jsonb) AS x(address text, token text)`;
  await tx.$executeRawUnsafe(
    `WITH counting AS (
       SELECT DISTINCT ON (c.region, c.class) c.* FROM consent_entries c
       WHERE c.tenant_id = $1::uuid AND c.sandbox = $2 AND c.channel = 'whatsapp'
         AND c.address IN (SELECT unnest(ARRAY[x.address, x.token]) FROM ${asked})
       ORDER BY c.region, c.class, c.at DESC, c.state DESC, c.id DESC
     )
     INSERT INTO consent_entries (tenant_id, id, sandbox, channel, address, region, class, state, source, evidence, at)
     SELECT $1::uuid, uuidv7_new(), $2, 'whatsapp', x.address, c.region, c.class, c.state, c.source,
       jsonb_build_object('linkedFrom', CASE WHEN c.address = ANY (SELECT t.token FROM ${asked.replace("AS x", "AS t")}) THEN $4
         ELSE c.address END) || c.evidence, c.at
     FROM counting c CROSS JOIN ${asked}
     WHERE NOT EXISTS (SELECT FROM consent_entries k WHERE k.tenant_id = $1::uuid AND k.sandbox = $2 AND k.channel = 'whatsapp'
       AND k.address IN (x.address, x.token) AND k.at = c.at AND k.state = c.state
       AND k.region IS NOT DISTINCT FROM c.region AND k.class IS NOT DISTINCT FROM c.class)`,
    tenantId,
    sandbox,
    json,
    how.erased,
  );
  await tx.$executeRawUnsafe(
    // Of several the one that lasts longest.
    `INSERT INTO suppressions AS known (tenant_id, id, sandbox, channel, address, reason, created_at, expires_at)
     SELECT $1::uuid, uuidv7_new(), $2, 'whatsapp', x.address, s.reason, $4::timestamptz, s.expires_at
     FROM (SELECT s.reason, s.expires_at FROM suppressions s
           WHERE s.tenant_id = $1::uuid AND s.sandbox = $2 AND s.channel = 'whatsapp'
           AND s.address IN (SELECT unnest(ARRAY[x.address, x.token]) FROM ${asked})
           AND coalesce(s.expires_at > $4::timestamptz, true)
           ORDER BY s.expires_at DESC NULLS FIRST, s.created_at, s.id LIMIT 1) AS s
     CROSS JOIN ${asked}
     ON CONFLICT (tenant_id, sandbox, channel, address) DO UPDATE SET expires_at = excluded.expires_at
       WHERE known.expires_at < coalesce(excluded.expires_at, 'infinity')`,
    tenantId,
    sandbox,
    json,
    how.now,
  );
}
