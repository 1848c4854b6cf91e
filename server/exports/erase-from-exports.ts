import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { parse } from "csv-parse/sync";
import { csvText, plainCell } from "../kernel/csv.ts";
import type { Db } from "../kernel/db.ts";
import type { Spellings } from "../kernel/spellings.ts";
import { lockFiles, rewriteChunk, selectNextChunk } from "./queries.ts";

const expand = promisify(gunzip);
const compress = promisify(gzip);

export interface FilePlace {
  exportId: string;
  number: number;
}

/**
 * Takes addresses out of the next pieces of an organisation's files of messages, a few at a time. Returns how many were changed and
 * where to go on, null at the end. Files that are written meanwhile wait for the transaction, and what they read then is erased already,
 * if the messages were erased before.
 */
export async function eraseFromExports(
  client: Pick<Db["pool"], "query">,
  tenantId: string,
  spellings: Spellings,
  from: { after: FilePlace | null; most: number },
): Promise<{ changed: number; after: FilePlace | null }> {
  await lockFiles(client, tenantId);
  let { after } = from;
  let changed = 0;
  for (let looked = 0; looked < from.most; looked++) {
    const piece = await selectNextChunk(client, tenantId, after);
    if (!piece) return { changed, after: null };
    after = { exportId: piece.exportId, number: piece.number };
    const text = (await expand(piece.data)).toString();
    if (spellings.scrub(text) === text) continue;
    const plain = withoutAddresses(text, spellings);
    if (plain === text) continue;
    const data = await compress(plain, { level: 4 });
    await rewriteChunk(client, tenantId, {
      ...after,
      data,
      bytesMore: Buffer.byteLength(plain) - Buffer.byteLength(text),
      storedMore: data.length - piece.data.length,
    });
    changed++;
  }
  return { changed, after };
}

/** Cell by cell, so that the file stays one: times and ids that could be read as numbers stay as they are. */
function withoutAddresses(text: string, spellings: Spellings): string {
  const rows = parse(text, { relax_column_count: true });
  return csvText(rows.map((cells) => cells.map((cell) => scrubCell(plainCell(cell), spellings))));
}

const fixed = /^(\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const scrubCell = (cell: string, spellings: Spellings) => (fixed.test(cell) ? cell : spellings.scrub(cell));
