import type pg from "pg";
import { openOwn, sealOwn } from "../kernel/secrets.ts";
import { insertSigner, selectSigner } from "./chain-queries.ts";
import { keyId, newSigningKeys, signerOf } from "./signing.ts";
import type { Sign } from "./signing.ts";

/** What the private key is sealed for, under the master key. */
export const signerPurpose = "audit checkpoints";
export const signerPlace = "audit_signers:1";

export interface InstallationKey {
  /** SPKI in base64. */
  publicKey: string;
  keyId: string;
  sign: Sign;
}

/** What signs this installation's checkpoints; made when it is first needed, and the same from then on. */
export async function installationKey(client: Pick<pg.Pool, "query">): Promise<InstallationKey> {
  let row = await selectSigner(client);
  if (!row) {
    const { publicKey, privateKey } = newSigningKeys();
    await insertSigner(client, publicKey, sealOwn(signerPurpose, signerPlace, privateKey));
    row = await selectSigner(client);
  }
  if (!row) throw new Error("the signing key could not be stored");
  return {
    publicKey: row.publicKey,
    keyId: keyId(row.publicKey),
    sign: signerOf(openOwn(signerPurpose, signerPlace, row.privateKey)),
  };
}
