import type { JobHelpers } from "graphile-worker";
import { expect, test } from "vitest";
import { newId } from "../../server/kernel/ids.ts";
import { logger } from "../../server/kernel/log.ts";
import { testDatabase } from "../../server/testing/database.ts";
import { makeTenant } from "../../server/testing/factories.ts";
import { loopbackClient } from "../../server/testing/webhook-world.ts";
import { maintenanceTasks, purgeExpiredTask } from "./maintenance.ts";

const database = await testDatabase();

test("of what has expired, a kind that cannot be removed keeps no other from it, and its job fails so that it is retried", async () => {
  const { tenantId } = await makeTenant(database);
  await database.owner.query(
    `INSERT INTO idempotent_answers (tenant_id, id, api_key_id, key_hash, request, created_at, expires_at)
     VALUES ($1, $2, $3, '\\x00', '\\x00', now() - interval '2 days', now() - interval '1 day')`,
    [tenantId, newId(), newId()],
  );
  await database.owner.query("REVOKE ALL ON idempotency_keys FROM tidings_worker");
  const { longClock } = maintenanceTasks({
    db: database.worker,
    http: loopbackClient(),
    log: logger(),
    publicUrl: "https://tidings.example",
    onRequeued: () => undefined,
  });
  const run = longClock[purgeExpiredTask.name]?.({}, {} as JobHelpers);
  await expect(run).rejects.toThrow("steps failed: keys");
  const { rows } = await database.owner.query("SELECT FROM idempotent_answers WHERE tenant_id = $1", [
    tenantId,
  ]);
  expect(rows).toHaveLength(0);
});
