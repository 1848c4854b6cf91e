import { createHmac, hash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Db } from "../kernel/db.ts";
import { derivedKeys } from "../kernel/secrets.ts";
import { sameBytes } from "../kernel/same-secret.ts";
import { findSetUpToken } from "./queries.ts";

/** Databases in which there is an organisation: that stays so. */
const settled = new WeakSet<Pick<Pool, "query">>();

/** What a process with one of the master keys makes of a nonce. Nobody who reads the database can. */
function tokenOf(key: Buffer, nonce: Uint8Array): string {
  return createHmac("sha256", key).update(nonce).digest("base64url");
}

export const hashOfToken = (token: string): Buffer => hash("sha256", token, "buffer");

/** Whether there is no organisation yet, so that the set-up page is there. */
export async function needsSetUp(db: Db): Promise<boolean> {
  return (await readSetUpToken(db.pool)) !== undefined;
}

/**
 * The token of the set-up page, the same in every process with the master key; undefined when there is an organisation, null
 * when the token was made with another master key.
 */
export async function readSetUpToken(pool: Pick<Pool, "query">): Promise<string | null | undefined> {
  if (settled.has(pool)) return undefined;
  const keys = derivedKeys("set-up token");
  const nonce = randomBytes(32);
  const stored = await findSetUpToken(pool, nonce, hashOfToken(tokenOf(keys[0], nonce)));
  if (!stored) {
    settled.add(pool);
    return undefined;
  }
  return (
    keys
      .map((key) => tokenOf(key, stored.nonce))
      .find((token) => sameBytes(hashOfToken(token), stored.hash)) ?? null
  );
}

/** Whether a token is the one of the set-up page; takes the same time wherever they differ. */
export function isSetUpToken(token: string, expected: string): boolean {
  return sameBytes(hashOfToken(token), hashOfToken(expected));
}
