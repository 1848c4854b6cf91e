import { randomInt } from "node:crypto";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { getConsents, listConsents } from "../../server/consent/list-consents.ts";
import { recordConsents } from "../../server/consent/record-consents.ts";
import { openDb, queryInTenant } from "../../server/kernel/db.ts";
import { newId } from "../../server/kernel/ids.ts";
import { query } from "../lib/cluster.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

/** Entries of one address. */
const each = 5;
const recipients = 1_000;

/** (m) Consent: what accepting asks for 1,000 recipients, recording, and looking up, with 5,000,000 entries. */
export async function consent(run: Run): Promise<Measure[]> {
  const addresses = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_m");
  const { tenantId, environmentId } = await createWorld(url, { providerUrl: "http://127.0.0.1:9" });
  const web = openDb("web", url, { poolSize: 4 });
  const ctx = systemCtx(web, tenantId, "Bench");
  const addressOf = (index: number) => `+49151${String(10_000_000 + index)}`;
  const some = (count: number) => Array.from({ length: count }, () => addressOf(randomInt(addresses)));
  try {
    await query(
      url,
      `INSERT INTO consent_entries (tenant_id, id, sandbox, channel, address, region, class, state, source, evidence, at)
       SELECT '${tenantId}', gen_random_uuid(), false, 'sms', '+49151' || 10000000 + i % ${String(addresses)},
         CASE i % 7 WHEN 0 THEN 'FR' END, (ARRAY['marketing', 'service', NULL])[1 + i % 3],
         CASE WHEN i % 4 = 0 THEN 'opted_out' ELSE 'opted_in' END, 'import', '{"list": "spring"}',
         now() - make_interval(secs => i)
       FROM generate_series(1, ${String(addresses * each)}) AS i`,
    );
    await query(url, "VACUUM ANALYZE consent_entries");
    run.say(`${String(addresses * each)} entries of ${String(addresses)} addresses`);

    const checks = await timed(40, async () => {
      const rows = await queryInTenant<{ code: string | null }>(
        ctx,
        `SELECT (SELECT f.code FROM send_refusal($1, false, 'sms', a, 'DE', 'marketing', 'opt_in_required') AS f) AS code
         FROM unnest($2::text[]) AS a`,
        [tenantId, some(recipients)],
      );
      if (rows.length !== recipients || rows.every(({ code }) => code === null))
        throw new Error("wrong answer");
    });
    const recording = await timed(20, async () => {
      const { results } = await recordConsents(ctx, {
        environmentId,
        consents: some(1_000).map((address) => ({ id: newId(), channel: "sms", address, state: "opted_in" })),
      });
      if (results.some(({ status }) => status !== "recorded")) throw new Error("not recorded");
    });
    const lookUps = await timed(40, async () => {
      const { history } = await getConsents(ctx, {
        environmentId,
        address: addressOf(randomInt(addresses)),
        limit: 50,
      });
      if (history.data.length < each) throw new Error("history is missing");
    });
    const lists = await timed(20, async () => {
      await listConsents(ctx, { environmentId, limit: 50 });
    });
    const most = (value: number) => ({ at: "most" as const, value });
    const p95 = (times: number[]) => percentile(times, 0.95);
    return [
      measure("m", `consent of ${String(recipients)} recipients, p95`, p95(checks), "ms", most(20)),
      measure("m", "recording 1,000 entries, p95", p95(recording), "ms"),
      measure("m", "consent of an address and its history, p95", p95(lookUps), "ms", most(100)),
      measure("m", "newest page of the ledger, p95", p95(lists), "ms", most(100)),
    ];
  } finally {
    await web.close();
  }
}

/** Times of `rounds`, ms, after one that warms up. */
async function timed(rounds: number, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    await work();
    if (round > 0) times.push(performance.now() - from);
  }
  return times;
}
