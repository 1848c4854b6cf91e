/** What callbacks were verified with before it was changed, and still are for a day. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Adapter, Connection } from "../adapters/adapter.ts";

const overlapMs = 24 * 3_600_000;
/** Each is one more check of what nobody signed. */
const most = 10;

type Credentials = Record<string, unknown>;

const oldSecretsSchema = z.array(
  z.object({ until: z.iso.datetime(), values: z.record(z.string(), z.unknown()) }),
);
/** Those that a change replaced, the newest first. */
export type OldSecrets = z.output<typeof oldSecretsSchema>;

/** Those that are stored and still verify. None when they cannot be opened: the connection works without them. */
export function openOldSecrets(
  box: Uint8Array | null,
  open: (box: Uint8Array) => string,
  now: Date,
): OldSecrets {
  if (!box) return [];
  try {
    return oldSecretsSchema.parse(JSON.parse(open(box))).filter(({ until }) => new Date(until) > now);
  } catch {
    return [];
  }
}

/**
 * The old secrets after a change of credentials: those that verify callbacks and were replaced, for a day, and those of before, for
 * what is left of theirs, the newest ten. What is taken away without another in its place verifies nothing any more.
 */
export function oldSecretsAfter(
  adapter: Pick<Adapter, "callbackCredentials">,
  change: { before: Credentials; after: Credentials; old: OldSecrets },
  now: Date,
): OldSecrets {
  const { before, after, old } = change;
  const verifying: readonly string[] = adapter.callbackCredentials ?? [];
  const names = verifying.filter((name) => before[name] !== undefined);
  if (names.some((name) => after[name] === undefined)) return [];
  if (names.every((name) => isDeepStrictEqual(before[name], after[name]))) return old;
  const until = new Date(now.getTime() + overlapMs).toISOString();
  return [{ until, values: Object.fromEntries(names.map((name) => [name, before[name]])) }, ...old].slice(
    0,
    most,
  );
}

/** A connection as it was before a change, for its callbacks alone. */
export interface FormerConnection {
  until: Date;
  connection: Connection;
}

/** The connection with each of its old secrets; those that the adapter takes no more are left out. */
export function formerConnections(
  adapter: Pick<Adapter, "credentialsSchema">,
  connection: Connection,
  credentials: Credentials,
  old: OldSecrets,
): FormerConnection[] {
  return old.flatMap(({ until, values }) => {
    const parsed = adapter.credentialsSchema.safeParse({ ...credentials, ...values });
    if (!parsed.success) return [];
    return [{ until: new Date(until), connection: { ...connection, credentials: parsed.data } }];
  });
}
