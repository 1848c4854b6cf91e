/**
 * What docs/audit.md takes for granted, in the current folder: checkpoints that the worker has written, and the export that
 * the portal hands out. Prints the public key that the portal shows.
 */
import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { describeKey } from "../../server/audit/describe-key.ts";
import { exportEvents } from "../../server/audit/export-events.ts";
import { writeCheckpoint } from "../../server/audit/write-checkpoint.ts";
import { withOperatorDatabase } from "../lib/operator-database.ts";
import { dataFolder } from "../lib/paths.ts";

await withOperatorDatabase(async ({ db }) => {
  // The file that the worker of `npm start` appends to.
  const file = path.join(dataFolder(), "audit-checkpoints.jsonl");
  await writeCheckpoint({ db, file, announce: async () => undefined });
  copyFileSync(file, "checkpoints.jsonl");
  const { tenantId, publicKey } = await describeKey(db, "acme");
  if (tenantId === null || publicKey === null) throw new Error("acme has no audit trail with a checkpoint.");
  const { first, rest } = await exportEvents(systemCtx(db, tenantId, "Documentation"), {
    format: "jsonl",
    filter: {},
  });
  const pieces = [first];
  for await (const piece of rest) pieces.push(piece);
  writeFileSync("audit-acme.jsonl", pieces.join(""));
  console.log(`PUBLIC_KEY=${publicKey}`);
});
