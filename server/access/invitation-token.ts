import { createHash, randomBytes } from "node:crypto";

const shape = /^inv_[A-Za-z0-9_-]{43}$/;

/** A new token of a link, with 32 random bytes, and what is stored of it. */
export function makeInvitationToken(): { text: string; hash: Buffer } {
  const text = `inv_${randomBytes(32).toString("base64url")}`;
  return { text, hash: hashOf(text) };
}

/** What is stored of a token; undefined for a text that is none of ours. */
export function invitationHash(text: string): Buffer | undefined {
  return shape.test(text) ? hashOf(text) : undefined;
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
