/**
 * `npm run rotate-keys`: seals everything under the current master key, so that previous ones can be removed. With
 * --data-keys organisations also get new data keys; --check opens everything and changes nothing. docs/key-rotation.md
 * says when to use which.
 */
import { checkKeys, rotateDataKeys, rotateMasterKey } from "../server/key-rotation/rotate-keys.ts";
import type { RotationCount, RotationDb } from "../server/key-rotation/rotate-keys.ts";
import { readCommandLine } from "./lib/command.ts";
import { withOperatorDatabase } from "./lib/operator-database.ts";

const usage = `Usage:
  npm run rotate-keys
  npm run rotate-keys -- --data-keys [--after <organisation id>]
  npm run rotate-keys -- --check

Seals the keys of all organisations, your channels and operators' second factors under the current TIDINGS_SECRET_KEY; what
TIDINGS_PREVIOUS_SECRET_KEYS names still opens them. It may run while web and worker do, and be repeated.

  --data-keys   organisations get new data keys, too, and all their secrets are sealed anew
  --after <id>  goes on after this organisation, where it was interrupted
  --check       opens everything and changes nothing

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
docs/key-rotation.md says when to use which.`;

const options = {
  check: { type: "boolean", default: false },
  "data-keys": { type: "boolean", default: false },
  after: { type: "string" },
} as const;
const { values } = readCommandLine(usage, options, { needs: [] });

async function run(database: RotationDb): Promise<void> {
  if (values.check) {
    const count = await checkKeys(database);
    const old = count.keys === 0 ? "all of them" : `all but ${String(count.keys)} of them`;
    console.log(
      `Opened the keys of ${String(count.tenants)} organisations, ${old} under the current master key; ${String(count.fields)} secrets of theirs; ${String(count.channels)} channels of your own; the second factors of ${String(count.operators)} operators.`,
    );
    report(count);
    return;
  }
  const master = await rotateMasterKey(database);
  console.log(
    `Under the current master key now: ${String(master.keys)} of ${String(master.tenants)} organisations' keys, ${String(master.channels)} channels and the second factors of ${String(master.operators)} operators; the others were already.`,
  );
  report(master);
  if (!values["data-keys"]) return;
  let last: string | undefined = values.after;
  try {
    const count = await rotateDataKeys(database, {
      after: values.after ?? null,
      onTenant: (id) => (last = id),
    });
    console.log(
      `New data keys: ${String(count.keys)} of ${String(count.tenants)} organisations, ${String(count.fields)} secrets sealed anew.`,
    );
    report(count);
  } catch (error) {
    if (last !== undefined)
      console.error(`Interrupted. Go on with: npm run rotate-keys -- --data-keys --after ${last}`);
    throw error;
  }
}

function report({ unreadable }: RotationCount): void {
  if (unreadable.length === 0) return;
  console.error(`No key opens ${String(unreadable.length)} of them; they were left as they are:`);
  for (const place of unreadable.slice(0, 100)) console.error(`  ${place}`);
  process.exitCode = 1;
}

await withOperatorDatabase(run);
