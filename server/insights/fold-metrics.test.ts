import { register } from "prom-client";
import { expect, it } from "vitest";
import type { Change } from "../sending/notification-change.ts";
import { testDatabase } from "../testing/database.ts";
import { becomes, claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import { rowsLookedAt } from "../testing/plans.ts";
import { foldMetrics } from "./fold-metrics.ts";
import { foldCosts, foldCounts, insertMissingKeys } from "./fold-queries.ts";

const database = await testDatabase();

const reached = async (status: string) => {
  const metric = await register.getSingleMetric("tidings_messages_total")?.get();
  return (
    metric?.values.find(({ labels }) => labels.channel === "sms" && labels.status === status)?.value ?? 0
  );
};

it("every status that a message reaches is counted once, by whichever process folds it", async () => {
  const world = await makeSendingWorld(database);
  const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
  const ids = [messageId(await world.send()), messageId(await world.send())];
  await foldMetrics(database.worker);
  expect([await reached("accepted"), await reached("sent")]).toEqual([2, 0]);
  for (const id of ids) await world.advance(id, claimOver(connection));
  for (const id of ids) await world.advance(id, takenBy(1));
  await world.advance(ids[0] ?? "", becomes("delivered"));
  await foldMetrics(database.worker);
  await foldMetrics(database.worker);
  expect([await reached("accepted"), await reached("sent"), await reached("delivered")]).toEqual([2, 2, 1]);
});

it("folding compares no row with each other, though the tables were empty when the database last looked", async () => {
  const world = await makeSendingWorld(database);
  const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
  const id = messageId(await world.send());
  await world.advance(id, claimOver(connection));
  const price = { amount: "0.05", currency: "USD", source: "estimated" } as const;
  await world.advance(id, { ...takenBy(1), price } as Change);
  await database.owner.query("CREATE TABLE counted AS SELECT * FROM metric_deltas");
  await foldMetrics(database.worker);
  await database.owner.query("ANALYZE");
  const copies = 3_000;
  const copy = (table: string, more: string) =>
    database.owner.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${more}))).* FROM ${table} t CROSS JOIN copied AS c
       WHERE t.tenant_id = $1 AND t.${table === "notifications" ? "id" : "notification_id"} = $2`,
      [world.tenantId, id],
    );
  await database.owner.query(
    `CREATE TABLE copied AS SELECT uuidv7_new() AS id FROM generate_series(1, ${String(copies)})`,
  );
  await database.owner.query(
    "INSERT INTO metric_deltas SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id + 1000 * n))).* FROM counted AS c, generate_series(1, 1000) AS n",
  );
  await copy("notifications", "'id', c.id");
  await copy("attempts", "'notification_id', c.id");
  await copy("cost_entries", "'id', uuidv7_new(), 'notification_id', c.id");
  const statements = [
    insertMissingKeys("metric_deltas")[0] ?? "",
    foldCounts,
    insertMissingKeys("cost_deltas")[0] ?? "",
    foldCosts,
  ];
  for (const statement of statements)
    expect(await rowsLookedAt(database.worker.pool, statement, [20_000]), statement).toBeLessThan(
      copies * 100,
    );
  await foldMetrics(database.worker);
  for (const table of ["metric_deltas", "cost_deltas"])
    expect((await database.owner.query(`SELECT FROM ${table}`)).rowCount, table).toBe(0);
});
