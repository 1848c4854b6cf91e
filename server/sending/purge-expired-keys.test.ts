import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { purgeExpiredKeys } from "./purge-expired-keys.ts";

const database = await testDatabase();

test("expired idempotency keys are deleted, valid ones and those without an expiry stay", async () => {
  const { tenantId } = await makeTenant(database);
  const ends = [new Date(Date.now() - 1_000), new Date(Date.now() + 3_600_000), null];
  for (const [index, expiresAt] of ends.entries()) {
    await database.worker.prisma.idempotencyKey.create({
      data: {
        tenantId,
        environmentId: newId(),
        applicationId: newId(),
        kind: "idempotency",
        key: `key-${String(index)}`,
        bodyHash: Buffer.alloc(32),
        requestId: newId(),
        expiresAt,
      },
    });
  }
  await purgeExpiredKeys(database.worker);
  const left = await database.worker.prisma.idempotencyKey.findMany({
    where: { tenantId },
    orderBy: { key: "asc" },
  });
  expect(left.map((row) => row.key)).toEqual(["key-1", "key-2"]);
});
