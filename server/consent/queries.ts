import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

/** The sealed consent key and the data key that opens it, from one statement; null: there is none. */
export async function selectConsentKey(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<{ key: Buffer; dataKey: Buffer } | null> {
  const rows = await queryInTenant<{ key: Buffer; dataKey: Buffer }>(
    ctx,
    `SELECT k.key, t.data_key FROM consent_keys k JOIN tenant_facts t ON t.id = k.tenant_id WHERE k.tenant_id = $1`,
    [ctx.tenantId],
  );
  return rows[0] ?? null;
}

export async function insertConsentKey(tx: Tx, tenantId: string, key: Buffer): Promise<void> {
  await tx.consentKey.createMany({
    data: [{ tenantId, key: Uint8Array.from(key), createdAt: new Date() }],
    skipDuplicates: true,
  });
}

export interface Standing {
  suppressed: boolean;
  consent: "opted_in" | "opted_out" | null;
}

/** How addresses stand, by themselves or by what stays of them once they are erased; in the order asked. */
export async function selectStandings(
  db: Pick<Db, "pool">,
  asked: readonly {
    tenantId: string;
    sandbox: boolean;
    channel: string;
    addresses: readonly [string, string];
    region: string | null;
    class: string | null;
  }[],
): Promise<Standing[]> {
  const { rows } = await db.pool.query<Standing>(
    `SELECT EXISTS (SELECT FROM suppressions s WHERE s.tenant_id = x."tenantId" AND s.sandbox = x.sandbox
              AND s.channel = x.channel AND s.address IN (x.addresses->>0, x.addresses->>1)) AS suppressed,
            (SELECT c.state FROM newest_consent_of(x."tenantId", x.sandbox, x.channel,
              ARRAY[x.addresses->>0, x.addresses->>1], x.region, x.class) AS c) AS consent
     FROM jsonb_to_recordset($1::jsonb) AS x(position int, "tenantId" uuid, sandbox boolean, channel text, addresses jsonb,
       region text, class text) ORDER BY x.position`,
    [JSON.stringify(asked.map((one, position) => ({ position, ...one })))],
  );
  return rows;
}

/** Turns suppressions and opt-outs of addresses into tokens and deletes what else there is of them. Returns how many rows changed. */
export async function forgetAddresses(
  tx: Tx,
  tenantId: string,
  pairs: readonly { channel: string; address: string; token: string }[],
): Promise<{ suppressions: number; consents: number }> {
  const json = JSON.stringify(pairs);
  const erased = `jsonb_to_recordset($2::jsonb) AS x(channel text, address text, token text)`;
  // Suppressed again after an earlier erasure: the token is there already.
  const doubled = await tx.$executeRawUnsafe(
    `DELETE FROM suppressions s USING ${erased} WHERE s.tenant_id = $1::uuid AND s.channel = x.channel AND s.address = x.address
       AND EXISTS (SELECT FROM suppressions o WHERE o.tenant_id = s.tenant_id AND o.sandbox = s.sandbox AND o.channel = s.channel
                   AND o.address = x.token)`,
    tenantId,
    json,
  );
  const suppressed = await tx.$executeRawUnsafe(
    `UPDATE suppressions s SET address = x.token FROM ${erased}
     WHERE s.tenant_id = $1::uuid AND s.channel = x.channel AND s.address = x.address`,
    tenantId,
    json,
  );
  // An opt-in ends with the person's data. An opt-out that a later opt-in took back must not come alive by that.
  const dropped = await tx.$executeRawUnsafe(
    `DELETE FROM consent_entries c USING ${erased}
     WHERE c.tenant_id = $1::uuid AND c.channel = x.channel AND c.address IN (x.address, x.token)
       AND (c.state = 'opted_in' OR EXISTS (
         SELECT FROM consent_entries later WHERE later.tenant_id = c.tenant_id AND later.sandbox = c.sandbox
           AND later.channel = c.channel AND later.address IN (x.address, x.token) AND later.state = 'opted_in'
           AND later.at > c.at
           AND (later.region IS NULL OR later.region = c.region) AND (later.class IS NULL OR later.class = c.class)))`,
    tenantId,
    json,
  );
  const kept = await tx.$executeRawUnsafe(
    `UPDATE consent_entries c SET address = x.token, evidence = '{}' FROM ${erased}
     WHERE c.tenant_id = $1::uuid AND c.channel = x.channel AND c.address = x.address`,
    tenantId,
    json,
  );
  return { suppressions: doubled + suppressed, consents: dropped + kept };
}
