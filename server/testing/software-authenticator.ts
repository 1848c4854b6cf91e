/** An authenticator in software, honest unless a test wants otherwise. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { PasskeyAnswer, PasskeyAttestation } from "../access/schemas.ts";

/** What a test makes it say. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  crossOrigin?: boolean;
  type?: string;
  /** Whether it has made sure of its user, and whether somebody was there. */
  verified?: boolean;
  present?: boolean;
  counter?: number;
  credentialId?: Buffer;
  userHandle?: string;
  /** Of the statement about its make. */
  format?: string;
  statement?: Map<string, unknown>;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer | Uint8Array) => Buffer.from(data).toString("base64url");

export class SoftwareAuthenticator {
  private readonly keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  private readonly origin: string;
  private readonly credentialId = randomBytes(32);
  private userHandle = "";
  private rpId = "";
  private counter: number;

  /** @param counter null: it does not count, as those that are synchronised */
  constructor(origin: string, counter: number | null = null) {
    this.origin = origin;
    this.counter = counter ?? 0;
    this.counts = counter !== null;
  }
  private readonly counts: boolean;

  get id(): string {
    return base64url(this.credentialId);
  }

  create(
    options: { challenge: string; rp: { id?: string }; user: { id: string } },
    lies: Lies = {},
  ): PasskeyAttestation {
    this.userHandle = options.user.id;
    this.rpId = options.rp.id ?? "";
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x, "base64url"))],
        [-3, Uint8Array.from(Buffer.from(y, "base64url"))],
      ]),
    );
    const id = lies.credentialId ?? this.credentialId;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([this.authData(0x40, lies), Buffer.alloc(16), length, id, key]);
    const object = new Map<string, unknown>([
      ["fmt", lies.format ?? "none"],
      ["attStmt", lies.statement ?? new Map()],
      ["authData", Uint8Array.from(authData)],
    ]);
    return {
      id: base64url(id),
      rawId: base64url(id),
      type: "public-key",
      response: {
        clientDataJSON: this.clientData("webauthn.create", options.challenge, lies),
        attestationObject: base64url(isoCBOR.encode(object as never)),
        transports: ["internal", "no such transport"],
      },
    };
  }

  answer(options: { challenge: string; rpId?: string }, lies: Lies = {}): PasskeyAnswer {
    if (this.counts) this.counter++;
    const authData = this.authData(0, lies);
    const clientDataJSON = this.clientData("webauthn.get", options.challenge, lies);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    const id = base64url(lies.credentialId ?? this.credentialId);
    return {
      id,
      rawId: id,
      type: "public-key",
      response: {
        clientDataJSON,
        authenticatorData: base64url(authData),
        signature: base64url(sign("sha256", signed, this.keys.privateKey)),
        userHandle: lies.userHandle ?? this.userHandle,
      },
    };
  }

  private authData(flags: number, lies: Lies): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    const said = (lies.present === false ? 0 : 1) | (lies.verified === false ? 0 : 4) | flags;
    return Buffer.concat([sha256(lies.rpId ?? this.rpId), Buffer.from([said]), counter]);
  }

  private clientData(type: string, challenge: string, lies: Lies): string {
    return base64url(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? this.origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    );
  }
}
