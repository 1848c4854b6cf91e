import { camelRows } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

/** A passkey with its account, before the tenant is known. */
export interface FoundPasskey {
  tenantId: string;
  tenantSlug: string;
  userId: string;
  name: string;
  email: string;
  disabledAt: Date | null;
  /** By which the person's passkeys name the account. */
  handle: Buffer | null;
  passkeyId: string;
  publicKey: Buffer;
  /** Whether the person has signed in from this address before. */
  knownAddress: boolean;
}

/** The passkey of a credential id, whoever's it is. */
export async function findPasskey(
  db: Db,
  credentialId: Buffer,
  ip: string | null,
): Promise<FoundPasskey | undefined> {
  const result = await db.pool.query("SELECT * FROM find_passkey($1, $2)", [credentialId, ip]);
  return camelRows<FoundPasskey>(result)[0];
}

/** Takes a challenge, once: false when it was answered before. */
export async function takeChallenge(db: Db, challenge: { hash: Buffer; expiresAt: Date }): Promise<boolean> {
  const { rows } = await db.pool.query<{ taken: boolean }>("SELECT take_passkey_challenge($1, $2) AS taken", [
    challenge.hash,
    challenge.expiresAt,
  ]);
  return rows[0]?.taken ?? false;
}

/**
 * Notes that a passkey has signed, and how often it says it has; returns the version of its person's row (holdPerson). Undefined when
 * it says no more than before: then there are two of it. Those that always say 0 do not count.
 */
export async function advanceCounter(
  tx: Tx,
  tenantId: string,
  used: { id: string; counter: number; at: Date },
): Promise<string | undefined> {
  const { id, counter, at } = used;
  const rows = await tx.$queryRaw<{ version: string }[]>`
    UPDATE passkeys p SET counter = ${counter}, last_used_at = ${at}
    FROM users u
    WHERE p.tenant_id = ${tenantId}::uuid AND p.id = ${id}::uuid AND u.tenant_id = p.tenant_id AND u.id = p.user_id
      AND (p.counter < ${counter} OR (p.counter = 0 AND ${counter} = 0))
    RETURNING u.xmin::text AS version`;
  return rows[0]?.version;
}

export interface PasskeyRow {
  id: string;
  name: string;
  credentialId: Uint8Array;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A person's passkeys, the newest first. */
export function selectPasskeys(
  tx: Tx,
  tenantId: string,
  userId: string,
  limit: number,
): Promise<PasskeyRow[]> {
  return tx.passkey.findMany({
    where: { tenantId, userId },
    orderBy: { id: "desc" },
    take: limit,
    select: {
      id: true,
      name: true,
      credentialId: true,
      transports: true,
      createdAt: true,
      lastUsedAt: true,
    },
  });
}

/** Deletes all passkeys of a person, and by what they name the account; returns how many there were. */
export async function deletePasskeys(tx: Tx, tenantId: string, userId: string): Promise<number> {
  const { count } = await tx.passkey.deleteMany({ where: { tenantId, userId } });
  await tx.user.updateMany({ where: { tenantId, id: userId }, data: { passkeyHandle: null } });
  return count;
}
