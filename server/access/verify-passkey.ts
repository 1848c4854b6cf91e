import { generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { COSEALG, decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { logger } from "../kernel/log.ts";
import { passkeyLimits } from "./vocabulary.ts";
import type { PasskeyAnswer, PasskeyAttestation } from "./schemas.ts";
import type { PasskeyPlace } from "./passkey-place.ts";

/** Keys that a passkey may have. */
export const passkeyAlgorithms = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
}

/** What the browser says of itself in an answer: the challenge, and whether another site's page had us in a frame. */
export function readClientData(clientDataJSON: string): { challenge: string; framed: boolean } | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    if (typeof data !== "object" || data === null) return null;
    const { challenge, crossOrigin } = data as Record<string, unknown>;
    return typeof challenge === "string" ? { challenge, framed: crossOrigin === true } : null;
  } catch {
    return null;
  }
}

/**
 * Whether a new passkey was made here, for this challenge, by an authenticator that made sure of its user; null when not. What
 * the authenticator says of its make is left out before anything looks at it: we ask for nothing of it, and its certificates
 * would be read from whoever sent them.
 */
export async function verifyNewPasskey(
  attestation: PasskeyAttestation,
  expected: PasskeyPlace & { challenge: string },
): Promise<NewPasskey | null> {
  try {
    const given = decodeAttestationObject(isoBase64URL.toBuffer(attestation.response.attestationObject));
    const plain = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", given.get("authData")],
    ]);
    const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(plain as never));
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...attestation,
        clientExtensionResults: {},
        response: { clientDataJSON: attestation.response.clientDataJSON, attestationObject },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const credentialId = Buffer.from(id, "base64url");
    if (
      credentialId.length < passkeyLimits.credentialIdBytes.min ||
      credentialId.length > passkeyLimits.credentialIdBytes.max ||
      publicKey.length > passkeyLimits.publicKeyBytes
    ) {
      return null;
    }
    return { credentialId, publicKey: Buffer.from(publicKey), counter };
  } catch (error) {
    logger().debug({ err: error }, "a new passkey was not accepted");
    return null;
  }
}

/**
 * Whether an answer was signed by the passkey of this public key, here, for this challenge, once it had made sure of its user. Returns how
 * often it says that it has signed; null when not. Without a public key the work is the same, and the result null.
 */
export async function verifyPasskeyAnswer(
  answer: PasskeyAnswer,
  expected: PasskeyPlace & { challenge: string; publicKey: Buffer | undefined },
): Promise<{ counter: number } | null> {
  const { publicKey } = expected;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      // Its counter is compared where it is stored, in one statement with storing it.
      credential: {
        id: answer.id,
        publicKey: Uint8Array.from(publicKey ?? keyOfNobody()),
        counter: 0,
      },
    });
    return verified && publicKey ? { counter: authenticationInfo.newCounter } : null;
  } catch (error) {
    logger().debug({ err: error }, "the answer of a passkey was not accepted");
    return null;
  }
}

let nobodys: Buffer | undefined;

/** A public key whose private half is forgotten. */
function keyOfNobody(): Buffer {
  nobodys ??= coseOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);
  return nobodys;
}

function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const map = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, COSEALG.ES256],
    [-1, 1],
    [-2, Uint8Array.from(Buffer.from(x, "base64url"))],
    [-3, Uint8Array.from(Buffer.from(y, "base64url"))],
  ]);
  return Buffer.from(isoCBOR.encode(map));
}
