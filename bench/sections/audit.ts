import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import path from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { buildChains } from "../../server/audit/build-chains.ts";
import { chainKey } from "../../server/audit/chain.ts";
import { describeKey } from "../../server/audit/describe-key.ts";
import { exportEvents } from "../../server/audit/export-events.ts";
import { listEvents } from "../../server/audit/list-events.ts";
import { recordAudit } from "../../server/audit/record-audit.ts";
import { auditListQuerySchema } from "../../server/audit/schemas.ts";
import { verifyDatabase } from "../../server/audit/verify-database.ts";
import { verifyExport } from "../../server/audit/verify-export.ts";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { inTenant, openDb } from "../../server/kernel/db.ts";
import { newId } from "../../server/kernel/ids.ts";
import { query } from "../lib/cluster.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

/** (l) The audit trail: chaining, verifying in the database and on an export, lists and searches, and what writing costs. */
export async function audit(run: Run): Promise<Measure[]> {
  const count = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_l");
  const world = await createWorld(url, { providerUrl: "http://127.0.0.1:9" });
  const { tenantId } = world;
  const worker = openDb("worker", url, { poolSize: 4 });
  const web = openDb("web", url, { poolSize: 4 });
  const ctx = systemCtx(web, tenantId, "Bench");
  const seconds = (from: number) => (performance.now() - from) / 1_000;
  const measures: Measure[] = [];
  try {
    measures.push(await writing(run, url, ctx));
    await query(
      url,
      `INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, unit_id,
         environment_id, request_id, data)
       SELECT '${tenantId}', (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - ${String(count)} * 1000 + i * 1000), 12, '0')
                || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || substr(md5(i::text), 1, 15))::uuid,
         now() - make_interval(secs => ${String(count)} - i), 'user',
         ('00000000-0000-7000-8000-' || lpad(to_hex(i % 40), 12, '0'))::uuid, 'Person ' || i % 40,
         (ARRAY['template.updated', 'routing.changed', 'api_key.created', 'member.role_changed'])[1 + i % 4],
         (ARRAY['template', 'routing_rules', 'api_key', 'user'])[1 + i % 4],
         ('00000000-0000-7000-9000-' || lpad(to_hex(i % 1000), 12, '0')), NULL, '${world.environmentId}', 'request ' || i,
         jsonb_build_object('name', 'Thing ' || i % 1000, 'before', jsonb_build_object('version', i, 'enabled', true),
           'after', jsonb_build_object('version', i + 1, 'enabled', false))
       FROM generate_series(1, ${String(count)}) AS i`,
    );
    // Events without a signature are older ones here.
    await query(url, "UPDATE audit_progress SET signed_since = now()");
    await query(url, "VACUUM ANALYZE audit_events");
    let from = performance.now();
    const chained = await buildChains(worker, count + 1_000);
    run.say(`${String(chained)} events chained`);
    measures.push(measure("l", `chaining ${String(count)} entries`, seconds(from), "s"));

    from = performance.now();
    for await (const report of verifyDatabase(worker, { checkpoints: undefined, tenantId })) {
      if (report.problem) throw new Error(report.problem.detail);
      run.say(`${String(report.entries)} entries verified in the database`);
    }
    const target = { at: "most" as const, value: 60 };
    measures.push(
      measure("l", `verifying ${String(count)} entries in the database`, seconds(from), "s", target),
    );

    const file = path.join(run.folder, "export.jsonl");
    from = performance.now();
    const before = process.memoryUsage().rss;
    const { first, rest } = await exportEvents(ctx, { format: "jsonl", filter: {} });
    const out = createWriteStream(file);
    out.write(first);
    for await (const piece of rest) if (!out.write(piece)) await once(out, "drain");
    out.end();
    await once(out, "finish");
    const grown = Math.max(0, process.memoryUsage().rss - before) / 1_048_576;
    run.say(
      `${String(Math.round(statSync(file).size / 1_048_576))} MiB exported, ${String(Math.round(grown))} MiB more memory`,
    );
    measures.push(measure("l", `exporting ${String(count)} entries`, seconds(from), "s"));

    const { key } = await describeKey(worker, "bench");
    from = performance.now();
    const report = await verifyExport(createInterface({ input: createReadStream(file, "utf8") }), {
      key: chainKey(Buffer.from(key ?? "", "hex")),
    });
    if (report.problem) throw new Error(report.problem.detail);
    measures.push(
      measure("l", `verifying an export of ${String(report.entries)} entries`, seconds(from), "s", target),
    );

    await query(url, "ANALYZE audit_links");
    for (const [name, filter] of Object.entries({
      "newest page": {},
      "one person and action": {
        actorId: "00000000-0000-7000-8000-000000000003",
        action: "member.role_changed",
      },
      "search by name": { q: "thing 77" },
      "search by action in words": { q: "role changed" },
      "search that finds nothing": { q: "nowhere to be found" },
      "a day": { from: new Date(Date.now() - 86_400_000).toISOString() },
    })) {
      const times: number[] = [];
      for (let round = 0; round < 20; round++) {
        const at = performance.now();
        await listEvents(ctx, auditListQuerySchema.parse(filter));
        if (round > 0) times.push(performance.now() - at);
      }
      measures.push(
        measure("l", `Audit: ${name}, p95`, percentile(times, 0.95), "ms", { at: "most", value: 150 }),
      );
    }
  } finally {
    await Promise.all([worker.close(), web.close()]);
  }
  return measures;
}

/**
 * What a use case costs with its audit event as it is, and with one as it was before: without signature and with the one index
 * that there was. In blocks by turns, in the same database.
 */
async function writing(run: Run, url: string, ctx: ReturnType<typeof systemCtx>): Promise<Measure> {
  const indexes = await query<{ name: string; definition: string }>(
    url,
    "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'audit_events' AND indexname NOT LIKE '%_pkey'",
  );
  const older = "CREATE INDEX audit_before ON audit_events (tenant_id, target_type, target_id, id)";
  const arrange = {
    now: [
      "DROP INDEX IF EXISTS audit_before",
      ...indexes.map(({ definition }) => definition.replace("INDEX ", "INDEX IF NOT EXISTS ")),
    ],
    before: [...indexes.map(({ name }) => `DROP INDEX ${name}`), older],
  };
  const times: Record<"before" | "now", number[]> = { before: [], now: [] };
  for (let block = 0; block < (run.quick ? 4 : 20); block++) {
    const which = block % 2 === 0 ? "before" : "now";
    await query(url, arrange[which].join("; "));
    for (let round = 0; round < 100; round++) {
      const name = randomBytes(8).toString("hex");
      const from = performance.now();
      await inTenant(ctx, async (tx) => {
        const unit = { tenantId: ctx.tenantId, id: newId(), slug: name, name };
        await tx.organizationUnit.create({ data: unit });
        const entry = {
          action: "unit.created",
          targetType: "organization_unit",
          targetId: unit.id,
          unitId: unit.id,
          data: { name },
          after: { slug: name, name },
        };
        if (which === "now") await recordAudit(ctx, tx, entry);
        else {
          const { after, data, ...rest } = entry;
          await tx.auditEvent.create({
            data: {
              ...rest,
              tenantId: ctx.tenantId,
              id: newId(),
              at: ctx.now(),
              actorType: ctx.actor.type,
              actorId: ctx.actor.id,
              actorName: ctx.actor.name,
              requestId: ctx.requestId,
              data: { ...data, after },
            },
          });
        }
      });
      // The first ones of a block warm up what was rearranged.
      if (round >= 10) times[which].push(performance.now() - from);
    }
  }
  await query(url, arrange.now.join("; "));
  const [now, before] = [percentile(times.now, 0.5), percentile(times.before, 0.5)];
  run.say(`a change with its event: ${now.toFixed(2)} ms, as before ${before.toFixed(2)} ms (medians)`);
  return measure("l", "what an audit event costs more than before", (now / before - 1) * 100, "%", {
    at: "most",
    value: 2,
  });
}
