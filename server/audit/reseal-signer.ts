import type pg from "pg";
import { resealOwn } from "../kernel/secrets.ts";
import { selectSigner, updateSigner } from "./chain-queries.ts";
import { signerPlace, signerPurpose } from "./installation-key.ts";

type Owner = Pick<pg.Pool, "query">;

/** The key that signs checkpoints as it would be under the current master key: null when it is, undefined when it opens not. */
function resealed(sealed: Buffer): Buffer | null | undefined {
  try {
    return resealOwn(signerPurpose, signerPlace, sealed);
  } catch {
    return undefined;
  }
}

/** Seals the key that signs checkpoints under the current master key; answers its place when no key opens it. */
export async function resealSigner(owner: Owner): Promise<string[]> {
  const signer = await selectSigner(owner);
  if (!signer) return [];
  const sealed = resealed(signer.privateKey);
  if (sealed) await updateSigner(owner, sealed);
  return sealed === undefined ? [signerPlace] : [];
}

/** The same as a check, which changes nothing. */
export async function checkSigner(owner: Owner): Promise<string[]> {
  const signer = await selectSigner(owner);
  return signer && resealed(signer.privateKey) === undefined ? [signerPlace] : [];
}
