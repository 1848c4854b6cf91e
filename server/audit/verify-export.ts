import { entryHash } from "./chain.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { isPurgeNote } from "./checkpoint.ts";
import { exportHeaderSchema, exportLineSchema, headerMac } from "./export-form.ts";
import type { ExportHeader, ExportLine } from "./export-form.ts";
import { readPublicKey } from "./signing.ts";
import { ChainVerifier } from "./verify-chain.ts";
import type { Problem } from "./verify-chain.ts";

export interface ExportReport {
  header: ExportHeader | null;
  /** Entries that were looked at. */
  entries: number;
  /** At the end, and not in the chain when the export was made. */
  pending: number;
  problem: Problem | null;
}

/**
 * Verifies an export as JSON lines, without a database and with one line in memory at a time.
 * @param options.key the organisation's, from chainKey
 * @param options.checkpoints what was signed; without them nobody can tell whether entries are missing at the end that were
 * there before the export was made
 * @param options.publicKey the installation's, when it is known from elsewhere; otherwise the export's own word is taken
 */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  options: { key: Buffer; checkpoints?: Checkpoints; publicKey?: string },
): Promise<ExportReport> {
  const report: ExportReport = { header: null, entries: 0, pending: 0, problem: null };
  let verifier: ChainVerifier | undefined;
  for await (const text of lines) {
    if (text.trim() === "") continue;
    if (!report.header) {
      const header = readHeader(text, options.key);
      if ("kind" in header) return { ...report, problem: header };
      report.header = header;
      report.problem = purgeProblem(header, options.publicKey);
      if (report.problem) return report;
      verifier = new ChainVerifier({
        tenantId: header.tenantId,
        key: options.key,
        from: header.from,
        heads: headsWithin(header, options.checkpoints),
      });
      continue;
    }
    const line = readLine(text);
    if (!line) return { ...report, problem: unreadable(report.entries + 1) };
    if (line.sequence === null || line.origin === null || line.hash === null) {
      report.pending += 1;
      continue;
    }
    report.entries += 1;
    const entry = { sequence: line.sequence, origin: line.origin, hash: line.hash, event: line.event };
    if (report.pending > 0) {
      const detail = `Entry ${String(entry.sequence)} stands behind events that were not in the chain.`;
      return { ...report, problem: { kind: "misplaced", sequence: entry.sequence, eventId: null, detail } };
    }
    report.problem = report.header.complete
      ? (verifier?.add(entry) ?? null)
      : alone(line, options.key, report.header.tenantId, options.checkpoints);
    if (report.problem) return report;
  }
  if (!report.header) {
    const detail = "This is not an export of an audit trail as JSON lines.";
    return { ...report, problem: { kind: "truncated", sequence: null, eventId: null, detail } };
  }
  if (report.header.complete && verifier) {
    report.problem = verifier.end();
    const { to } = report.header;
    const { last } = verifier;
    if (!report.problem && (last.sequence !== to.sequence || last.hash !== to.hash)) {
      const detail = `The export ends at entry ${String(last.sequence)}; it had ${String(to.sequence)} when it was made.`;
      report.problem = { kind: "truncated", sequence: last.sequence + 1, eventId: null, detail };
    }
  }
  return report;
}

function readHeader(text: string, key: Buffer): ExportHeader | Problem {
  const wrong = (detail: string): Problem => ({ kind: "changed", sequence: null, eventId: null, detail });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong("The first line of the export cannot be read.");
  }
  const parsed = exportHeaderSchema.safeParse(value);
  if (!parsed.success) return wrong("The first line is not that of an export as JSON lines.");
  const { mac } = value as { mac?: unknown };
  if (mac !== headerMac(key, parsed.data)) {
    return wrong("The first line was changed, or the key is not that of this organisation.");
  }
  return parsed.data;
}

function readLine(text: string): ExportLine | undefined {
  try {
    return exportLineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function unreadable(line: number): Problem {
  const detail = `Line ${String(line + 1)} cannot be read.`;
  return { kind: "changed", sequence: null, eventId: null, detail };
}

function purgeProblem(header: ExportHeader, known: string | undefined): Problem | null {
  if (header.from.sequence === 0) return null;
  const publicKey = known ?? header.publicKey;
  const note = { tenantId: header.tenantId, ...header.from, at: header.purge?.at ?? "" };
  const holds =
    publicKey !== null && isPurgeNote(readPublicKey(publicKey), note, header.purge?.signature ?? "");
  if (holds) return null;
  const detail = `The entries up to ${String(note.sequence)} are not here, and the note that says why is not signed by this installation.`;
  return { kind: "purge", sequence: note.sequence, eventId: null, detail };
}

/** What was signed after the export was made, by clocks that differ a little, may name entries that it does not have. */
function headsWithin(header: ExportHeader, checkpoints: Checkpoints | undefined): Map<number, string> {
  const surely = new Date(new Date(header.exportedAt).getTime() - 60_000).toISOString();
  const heads = [...(checkpoints?.of(header.tenantId) ?? [])];
  return new Map(
    heads.filter(
      ([sequence]) =>
        sequence <= header.to.sequence || (checkpoints?.signedAt(header.tenantId, sequence) ?? "") <= surely,
    ),
  );
}

/** An entry of an export that is not complete: whether it is one of the chain's. */
function alone(
  line: ExportLine,
  key: Buffer,
  tenantId: string,
  checkpoints: Checkpoints | undefined,
): Problem | null {
  const { sequence, origin, hash, previous, event } = line;
  if (sequence === null || origin === null) return null;
  const wrong = (kind: Problem["kind"], detail: string): Problem => ({
    kind,
    sequence,
    eventId: event?.id ?? null,
    detail,
  });
  const number = String(sequence);
  if (!event || previous === null || previous === undefined)
    return wrong("missing", `Entry ${number} has no event.`);
  if (event.tenantId !== tenantId || entryHash(key, previous, { sequence, origin }, event) !== hash) {
    return wrong("changed", `Entry ${number} was changed after it was written.`);
  }
  if (origin === "foreign") return wrong("foreign", `Entry ${number} was not written by the service.`);
  const known = checkpoints?.of(tenantId).get(sequence);
  if (known !== undefined && known !== hash) {
    return wrong("checkpoint", `Entry ${number} is not the one that a checkpoint was signed for.`);
  }
  return null;
}
