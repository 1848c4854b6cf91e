import { randomBytes, randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { madeUpEvent, makeTrail } from "../testing/audit-trail.ts";
import type { Entry } from "./chain.ts";
import { Checkpoints } from "./checkpoint.ts";
import { newSigningKeys, readPublicKey } from "./signing.ts";
import { verifyExport } from "./verify-export.ts";

/*
 * A thousand random ones of each kind, in the form of an export, with the checkpoints that were signed before. Whoever does it
 * has all that is stored, and neither the audit key nor the signing key. tampering-database.test.ts does the same in Postgres.
 */

const times = 1_000;
const length = 60;
const trail = makeTrail(length);
const last = trail.entries.at(-1);

const copy = (): Entry[] => structuredClone(trail.entries);
const any = (below: number) => randomInt(below);
const coin = () => randomInt(2) === 1;
/** Numbers entries anew, as who wants to hide a gap would. */
const renumbered = (entries: Entry[]) => entries.map((entry, index) => ({ ...entry, sequence: index + 1 }));

async function verify(entries: readonly Entry[], to = last) {
  const report = await verifyExport(trail.exported(entries, to), {
    key: trail.key,
    checkpoints: trail.checkpoints,
    publicKey: trail.publicKey,
  });
  return report.problem;
}

async function repeat(round: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time++) await round();
}

/** Changes one value somewhere in an event. */
function edit(value: Record<string, unknown>): void {
  const names = Object.keys(value);
  const name = names[any(names.length)]!;
  const old = value[name];
  if (typeof old === "object" && old !== null && coin()) {
    edit(old as Record<string, unknown>);
    return;
  }
  const choices = [null, "", 0, true, {}, [], "changed", `${String(old)} `, 1.5];
  const different = choices.filter((choice) => JSON.stringify(choice) !== JSON.stringify(old));
  value[name] = different[any(different.length)];
}

test("a trail that nobody touched is right", async () => {
  expect(await verify(copy())).toBeNull();
});

test("an entry that was edited is found and named, whatever was edited in it", async () => {
  await repeat(async () => {
    const entries = copy();
    const index = any(length);
    const event = entries[index]!.event as unknown as Record<string, unknown>;
    edit(event);
    const problem = await verify(entries);
    // What is no event any more cannot be read as one: then the line is named, which has no number.
    if (problem?.sequence === null) expect(problem.detail).toContain(`Line ${String(index + 2)}`);
    else expect(problem).toMatchObject({ sequence: index + 1 });
  });
}, 120_000);

test("an edited entry is said to be changed, not moved", async () => {
  const entries = copy();
  entries[6]!.event!.actorName = "Somebody else";
  expect(await verify(entries)).toMatchObject({
    kind: "changed",
    sequence: 7,
    eventId: entries[6]!.event!.id,
  });
});

test("entries that were deleted are found, also when the others were numbered anew", async () => {
  await repeat(async () => {
    const entries = copy();
    const index = any(length - 1);
    entries.splice(index, 1 + any(Math.min(5, length - 1 - index)));
    const problem = await verify(coin() ? renumbered(entries) : entries);
    expect(problem).toMatchObject({ sequence: index + 1 });
  });
}, 120_000);

test("entries that were added are found, made up or copied, also when the others were numbered anew", async () => {
  await repeat(async () => {
    const entries = copy();
    const index = any(length + 1);
    const added: Entry = coin()
      ? {
          sequence: index + 1,
          origin: "service",
          hash: randomBytes(32).toString("hex"),
          event: madeUpEvent(trail.tenantId, 999),
        }
      : structuredClone(entries[any(length)]!);
    entries.splice(index, 0, { ...added, sequence: index + 1 });
    const problem = await verify(coin() ? renumbered(entries) : entries);
    // A copy of an entry at its own place is that entry: then it is the one behind it that is too many.
    expect(problem?.sequence).toBeGreaterThanOrEqual(index + 1);
    expect(problem?.sequence).toBeLessThanOrEqual(index + 2);
  });
}, 120_000);

test("entries that were put in another order are found, also when their numbers were exchanged", async () => {
  await repeat(async () => {
    const entries = copy();
    const first = any(length - 1);
    const second = first + 1 + any(length - 1 - first);
    [entries[first], entries[second]] = [entries[second]!, entries[first]!];
    const problem = await verify(coin() ? renumbered(entries) : entries);
    expect(problem).toMatchObject({ sequence: first + 1 });
  });
}, 120_000);

test("a tail that was cut off is found by the checkpoints, and without them in an export that was cut", async () => {
  await repeat(async () => {
    const entries = copy();
    const kept = any(length);
    const left = entries.slice(0, kept);
    // The service made the export after the tail was gone from the database: what it says of the end is signed, too.
    expect(await verify(left, left.at(-1))).toMatchObject({ kind: "truncated", sequence: kept + 1 });
    const report = await verifyExport(trail.exported(left, last), { key: trail.key });
    expect(report.problem).toMatchObject({ kind: "truncated", sequence: kept + 1 });
  });
}, 120_000);

test("a chain that was written anew with the key is found by the checkpoints", async () => {
  const other = makeTrail(length);
  const report = await verifyExport(other.exported(other.entries), {
    key: other.key,
    checkpoints: other.checkpoints,
  });
  expect(report.problem).toBeNull();
  // The same organisation and key, another past: only what was signed before can tell.
  const heads = new Map([[20, "0".repeat(64)]]);
  other.checkpoints.heads.set(other.tenantId, heads);
  const again = await verifyExport(other.exported(other.entries), {
    key: other.key,
    checkpoints: other.checkpoints,
  });
  expect(again.problem).toMatchObject({ kind: "checkpoint", sequence: 20 });
});

test("checkpoints that were changed, left out, put in another order or signed by somebody else are found", () => {
  const read = (lines: readonly string[], publicKey = trail.publicKey) => {
    const checkpoints = new Checkpoints(readPublicKey(publicKey));
    return lines.map((line) => checkpoints.add(line)).find((problem) => problem !== null) ?? null;
  };
  const { lines } = trail;
  expect(read(lines)).toBeNull();
  // A line may be there twice.
  expect(read(lines.flatMap((line) => [line, line]))).toBeNull();
  for (let index = 0; index < lines.length; index++) {
    const changed = lines.with(index, lines[index]!.replace(/"sequence":(\d+)/, '"sequence":9$1'));
    expect(read(changed)).toMatchObject({ kind: "checkpoint" });
  }
  expect(read(lines.toSpliced(2, 1))).toMatchObject({ kind: "checkpoint" });
  expect(read(lines.with(2, lines[3]!).with(3, lines[2]!))).toMatchObject({ kind: "checkpoint" });
  expect(read(lines, newSigningKeys().publicKey)).toMatchObject({ kind: "checkpoint" });
});

test("an export whose first line was changed, or another organisation's key, says so", async () => {
  const [header = "", ...rest] = trail.exported(trail.entries);
  const changed = header.replace('"complete":true', '"complete":false');
  const verifyLines = async (lines: string[], key = trail.key) =>
    (await verifyExport(lines, { key })).problem;
  expect(await verifyLines([header, ...rest])).toBeNull();
  expect(await verifyLines([changed, ...rest])).toMatchObject({ kind: "changed" });
  expect(await verifyLines([header, ...rest], randomBytes(32))).toMatchObject({ kind: "changed" });
  expect(await verifyLines([])).toMatchObject({ kind: "truncated" });
  expect(await verifyLines(["not JSON"])).toMatchObject({ kind: "changed" });
});
