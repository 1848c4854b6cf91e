/**
 * `npm run verify-audit`: whether anybody has changed the audit trail. Without a file it works on the database that
 * DATABASE_URL names, else on this checkout's own; with exports (JSON lines) it needs no database. docs/audit.md says what it
 * can find.
 */
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { chainKey } from "../server/audit/chain.ts";
import { Checkpoints } from "../server/audit/checkpoint.ts";
import { describeKey } from "../server/audit/describe-key.ts";
import { loadStoredCheckpoints } from "../server/audit/stored-checkpoints.ts";
import type { Problem } from "../server/audit/verify-chain.ts";
import { verifyDatabase } from "../server/audit/verify-database.ts";
import { verifyExport } from "../server/audit/verify-export.ts";
import { readPublicKey } from "../server/audit/signing.ts";
import { readCommandLine } from "./lib/command.ts";
import { withOperatorDatabase } from "./lib/operator-database.ts";

const usage = `Usage:
  npm run verify-audit -- [--checkpoints <file>] [--public-key <key>] [--organisation <short name>]
  npm run verify-audit -- --key <audit key> [--checkpoints <file> --public-key <key>] <export.jsonl> …
  npm run verify-audit -- --show-key --organisation <short name>

Says whether anybody has changed the audit trail: in the database, or with files in exports of it, which needs no database. Ends
with 1 when something is wrong, with 2 when it could not be found out.

  --checkpoints <file>    the file that AUDIT_CHECKPOINT_FILE names, or a copy of it
  --public-key <key>      the key that you noted when it was known to be right; the portal shows it under Audit
  --organisation <name>   one organisation alone, by its short name
  --key <audit key>       64 hexadecimal digits: what --show-key prints of an organisation

DATABASE_URL and TIDINGS_SECRET_KEY are those of the installation; without them the quickstart of this checkout is used.
docs/audit.md has more.`;

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}

const options = {
  checkpoints: { type: "string" },
  "public-key": { type: "string" },
  organisation: { type: "string" },
  key: { type: "string" },
  "show-key": { type: "boolean", default: false },
} as const;
const { values, positionals: files } = readCommandLine(
  usage,
  options,
  { needs: [], more: "many" },
  { exitCode: 2 },
);
const publicKey = values["public-key"];
if (publicKey !== undefined) {
  try {
    readPublicKey(publicKey);
  } catch {
    fail("--public-key is not an Ed25519 key as the portal shows it.");
  }
}
for (const file of [...files, ...(values.checkpoints === undefined ? [] : [values.checkpoints])]) {
  if (!existsSync(file)) fail(`There is no file ${file}.`);
}

const lines = (file: string) =>
  createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });

function tell(what: string, problem: Problem): void {
  process.exitCode = 1;
  const place = [
    problem.sequence === null ? "" : `entry ${String(problem.sequence)}`,
    problem.eventId === null ? "" : `event ${problem.eventId}`,
  ].filter(Boolean);
  console.error(`${what}: WRONG${place.length > 0 ? ` at ${place.join(", ")}` : ""}. ${problem.detail}`);
}

/** The checkpoints of the file, if there is one; says what is wrong with them. */
async function readCheckpoints(key: string | undefined): Promise<Checkpoints | undefined> {
  if (values.checkpoints === undefined) return undefined;
  if (key === undefined) fail("Checkpoints need --public-key, which the portal shows.");
  const checkpoints = new Checkpoints(readPublicKey(key));
  for await (const line of lines(values.checkpoints)) {
    const problem = checkpoints.add(line);
    if (problem) {
      tell(values.checkpoints, problem);
      break;
    }
  }
  const { newest } = checkpoints;
  console.log(
    newest
      ? `${values.checkpoints}: ${String(checkpoints.count)} checkpoints, the newest number ${String(newest.number)} of ${newest.at}`
      : `${values.checkpoints}: no checkpoint that names all organisations`,
  );
  return checkpoints;
}

async function verifyFiles(): Promise<void> {
  const { key } = values;
  if (key === undefined || !/^[0-9a-f]{64}$/i.test(key)) {
    fail(`An export is verified with --key, the organisation's audit key: --show-key prints it.\n${usage}`);
  }
  const checkpoints = await readCheckpoints(publicKey);
  for (const file of files) {
    const report = await verifyExport(lines(file), {
      key: chainKey(Buffer.from(key, "hex")),
      ...(checkpoints ? { checkpoints } : {}),
      ...(publicKey === undefined ? {} : { publicKey }),
    });
    if (report.problem) {
      tell(file, report.problem);
      continue;
    }
    const { header } = report;
    const what = header?.complete
      ? `entries ${String(header.from.sequence + 1)} to ${String(header.to.sequence)} are there and as they were written`
      : `${String(report.entries)} entries are as they were written; the export is not complete, so others may be missing`;
    console.log(`${file}: ${what}`);
    if (report.pending > 0) {
      console.log(
        `  ${String(report.pending)} events at the end were not in the chain yet and cannot be verified.`,
      );
    }
    if (!checkpoints) {
      console.log(
        "  Not compared with checkpoints: whether the end was cut off before the export nobody can tell.",
      );
    }
  }
}

async function verifyLive(): Promise<void> {
  await withOperatorDatabase(async ({ db }) => {
    const organisation = values.organisation;
    const found = await describeKey(db, organisation);
    if (organisation !== undefined && !found.tenantId) fail(`There is no organisation ${organisation}.`);
    if (values["show-key"]) {
      if (!found.key) fail(`--show-key needs --organisation.\n${usage}`);
      console.log(found.key);
      return;
    }
    const own = publicKey ?? found.publicKey ?? undefined;
    const checkpoints =
      (await readCheckpoints(own)) ??
      (own === undefined ? undefined : await loadStoredCheckpoints(db.pool, own));
    if (publicKey === undefined) {
      console.log(
        "No --public-key: the database's own is believed. Name the one that you noted when it was known to be right.",
      );
    }
    if (values.checkpoints === undefined) {
      console.log(
        "No --checkpoints: compared with those in the database, which whoever changed the trail may have changed, too.",
      );
    }
    if (checkpoints && "problem" in checkpoints && checkpoints.problem) {
      tell("stored checkpoints", checkpoints.problem as Problem);
    }
    let tenants = 0;
    let entries = 0;
    const options = {
      checkpoints,
      ...(publicKey === undefined ? {} : { publicKey }),
      ...(found.tenantId === null ? {} : { tenantId: found.tenantId }),
    };
    for await (const report of verifyDatabase(db, options)) {
      tenants += 1;
      entries += report.entries;
      if (report.problem) tell(`organisation ${report.tenantId}`, report.problem);
    }
    if (!process.exitCode) {
      console.log(
        `The trails of ${String(tenants)} organisations, ${String(entries)} entries, are as they were written.`,
      );
    }
  });
}

await (files.length > 0 ? verifyFiles() : verifyLive());
