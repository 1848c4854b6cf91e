import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from "node:crypto";
import type { KeyObject } from "node:crypto";
import { canonicalJson } from "../kernel/canonical-json.ts";

/** The pair of keys of an installation that signs checkpoints: Ed25519. */
export function newSigningKeys(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  };
}

/** Says things of one kind over a signature that holds for nothing else. */
export type Sign = (kind: string, statement: object) => string;

const statementBytes = (kind: string, statement: object) =>
  Buffer.from(`tidings ${kind}\n${canonicalJson(statement)}`);

/** @param privateKey PKCS #8 in base64 */
export function signerOf(privateKey: string): Sign {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return (kind, statement) => sign(null, statementBytes(kind, statement), key).toString("base64");
}

/** @param text SPKI in base64; throws for anything else */
export function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
}

export function isSignedBy(
  publicKey: KeyObject,
  kind: string,
  statement: object,
  signature: string,
): boolean {
  return verify(null, statementBytes(kind, statement), publicKey, Buffer.from(signature, "base64"));
}

/** Short name of a public key: the first 16 hex digits of its SHA-256. */
export function keyId(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").slice(0, 16);
}
