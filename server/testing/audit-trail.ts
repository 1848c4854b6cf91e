import { randomBytes } from "node:crypto";
import type { AuditEvent } from "../audit/audit-event.ts";
import { chainKey, entryHash, genesis } from "../audit/chain.ts";
import type { Entry } from "../audit/chain.ts";
import { Checkpoints, checkpointLine, lineHash } from "../audit/checkpoint.ts";
import { headerMac } from "../audit/export-form.ts";
import type { ExportHeader } from "../audit/export-form.ts";
import { keyId, newSigningKeys, readPublicKey, signerOf } from "../audit/signing.ts";
import { newId } from "../kernel/ids.ts";

/** A made-up event, with what a change of an API key tells. */
export function madeUpEvent(tenantId: string, number: number): AuditEvent {
  return {
    tenantId,
    id: newId(),
    at: new Date(1_790_000_000_000 + number * 1_000).toISOString(),
    actorType: number % 3 === 0 ? "system" : "user",
    actorId: number % 3 === 0 ? null : newId(),
    actorName: `Person ${String(number % 7)}`,
    action: "api_key.updated",
    targetType: "api_key",
    targetId: newId(),
    unitId: number % 2 === 0 ? newId() : null,
    environmentId: null,
    requestId: newId(),
    data: {
      name: `Key ${String(number)}`,
      before: { limits: { perMinute: number }, addresses: ["10.0.0.1"] },
      after: { limits: { perMinute: number + 1 }, addresses: ["10.0.0.1", "10.0.0.2"] },
    },
  };
}

/** A trail without a database: its chain, signed heads of it, and its export. */
export function makeTrail(length: number, options: { checkpointEvery?: number } = {}) {
  const tenantId = newId();
  const key = chainKey(randomBytes(32));
  const keys = newSigningKeys();
  const sign = signerOf(keys.privateKey);
  const entries: Entry[] = [];
  const lines: string[] = [];
  let hash = genesis;
  for (let sequence = 1; sequence <= length; sequence++) {
    const event = madeUpEvent(tenantId, sequence);
    hash = entryHash(key, hash, { sequence, origin: "service" }, event);
    entries.push({ sequence, origin: "service", hash, event });
    if (sequence % (options.checkpointEvery ?? 10) === 0 || sequence === length) {
      const previous = lines.at(-1);
      lines.push(
        checkpointLine(
          {
            keyId: keyId(keys.publicKey),
            number: lines.length + 1,
            at: new Date(1_790_000_000_000 + sequence * 1_000).toISOString(),
            previous: previous === undefined ? null : lineHash(previous),
            full: lines.length === 0,
            heads: [{ tenantId, sequence, hash }],
          },
          sign,
        ),
      );
    }
  }
  const checkpoints = new Checkpoints(readPublicKey(keys.publicKey));
  for (const line of lines) {
    const problem = checkpoints.add(line);
    if (problem) throw new Error(problem.detail);
  }
  /** The export that the service would make of these entries. */
  function exported(of: readonly Entry[], to = of.at(-1)): string[] {
    const header: ExportHeader = {
      format: "tidings-audit-export/1",
      tenantId,
      exportedAt: new Date(1_790_000_000_000 + (length + 3_600) * 1_000).toISOString(),
      complete: true,
      from: { sequence: 0, hash: genesis },
      to: { sequence: to?.sequence ?? 0, hash: to?.hash ?? genesis },
      purge: null,
      publicKey: keys.publicKey,
    };
    return [
      JSON.stringify({ ...header, mac: headerMac(key, header) }),
      ...of.map((entry) => JSON.stringify(entry)),
    ];
  }
  return { tenantId, key, publicKey: keys.publicKey, entries, lines, checkpoints, exported };
}
