import { open } from "node:fs/promises";
import { inTransaction } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { checkpointLine, headStatement, lineHash } from "./checkpoint.ts";
import type { Head } from "./checkpoint.ts";
import {
  insertCheckpoint,
  markFiled,
  selectCheckpoints,
  selectHeads,
  selectNewestCheckpoint,
  selectUnfiled,
  takeTurn,
} from "./chain-queries.ts";
import { installationKey } from "./installation-key.ts";

const page = 1_000;
/** More than a day of checkpoints, each of which names what has grown. */
const linesAtOnce = 500;

type Queries = Parameters<typeof selectHeads>[0];

/** What the worker gives this use case. */
export interface CheckpointDeps {
  db: Db;
  /** Where checkpoints are appended; undefined: nowhere. */
  file: string | undefined;
  /** Tells each organisation that asked for it of its own head. */
  announce: (statements: { tenantId: string; statement: Record<string, unknown> }[]) => Promise<void>;
  now?: () => Date;
}

/**
 * Signs the heads of all chains that have grown, once a day those of all, and lets them leave the installation: a line at the
 * end of the file, and an event to the endpoints of each organisation that asks for it. What could not be written to the file
 * is written at the next time, in order.
 */
export async function writeCheckpoint(deps: CheckpointDeps): Promise<void> {
  const now = (deps.now ?? (() => new Date()))();
  const made = await inTransaction(deps.db.pool, "BEGIN", async (client) => {
    if (!(await takeTurn(client, "checkpoint"))) return undefined;
    const key = await installationKey(client);
    const newest = await selectNewestCheckpoint(client);
    const full = !(await hasFullOf(client, now));
    const known = full ? new Map<string, string>() : await knownHeads(client);
    const heads: Head[] = [];
    for await (const head of allHeads(client)) {
      if (known.get(head.tenantId) !== head.hash) heads.push(head);
    }
    const number = (newest?.number ?? 0) + 1;
    const previous = newest ? lineHash(newest.line) : null;
    const at = now.toISOString();
    const line = checkpointLine({ keyId: key.keyId, number, at, previous, full, heads }, key.sign);
    await insertCheckpoint(client, { number, at: now, full, line });
    return heads.map((head) => ({
      tenantId: head.tenantId,
      statement: headStatement({ ...head, at, checkpoint: number, keyId: key.keyId }, key.sign),
    }));
  });
  if (deps.file !== undefined) await fileCheckpoints(deps.db, deps.file);
  if (made) await deps.announce(made);
}

async function* allHeads(client: Queries): AsyncGenerator<Head> {
  let after: string | null = null;
  for (;;) {
    const heads: Head[] = await selectHeads(client, after, page);
    yield* heads;
    const last = heads.at(-1);
    if (heads.length < page || !last) return;
    after = last.tenantId;
  }
}

/** Whether there is a checkpoint of this day (UTC) that names all organisations. */
async function hasFullOf(client: Queries, now: Date): Promise<boolean> {
  const [newest] = await selectCheckpoints(client, null, 1);
  return newest?.full === true && newest.at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
}

/** The heads that the checkpoints since the newest complete one name. */
async function knownHeads(client: Queries): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  let after: number | null = null;
  for (;;) {
    const rows = await selectCheckpoints(client, after, linesAtOnce);
    for (const { line } of rows) {
      const { heads } = JSON.parse(line) as { heads: Head[] };
      for (const head of heads) known.set(head.tenantId, head.hash);
    }
    const last = rows.at(-1);
    if (rows.length < linesAtOnce || !last) return known;
    after = last.number;
  }
}

/** Appends what is not in the file yet. A file that cannot be written is told, and tried again. */
async function fileCheckpoints(db: Db, file: string): Promise<void> {
  try {
    for (;;) {
      const count = await inTransaction(db.pool, "BEGIN", async (client) => {
        if (!(await takeTurn(client, "checkpoint"))) return 0;
        const rows = await selectUnfiled(client, linesAtOnce);
        if (rows.length === 0) return 0;
        const handle = await open(file, "a", 0o640);
        try {
          await handle.appendFile(rows.map(({ line }) => `${line}\n`).join(""));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await markFiled(
          client,
          rows.map(({ number }) => number),
        );
        return rows.length;
      });
      if (count < linesAtOnce) return;
    }
  } catch (error) {
    logger().error({ err: error, file }, "audit checkpoints could not be written to their file");
  }
}
