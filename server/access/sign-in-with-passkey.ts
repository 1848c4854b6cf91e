import { generateAuthenticationOptions } from "@simplewebauthn/server";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { recordAudit } from "../audit/record-audit.ts";
import { callerGroup } from "../kernel/client-address.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { writeNotices } from "../notices/write-notices.ts";
import { deviceOf } from "./known-device.ts";
import { makeChallenge, readBrowserCookie, readChallenge } from "./passkey-challenge.ts";
import { requirePasskeyPlace } from "./passkey-place.ts";
import { advanceCounter, findPasskey, takeChallenge } from "./passkey-queries.ts";
import type { FoundPasskey } from "./passkey-queries.ts";
import { passkeyAnswerSchema } from "./schemas.ts";
import type { PasskeyAnswer } from "./schemas.ts";
import { signInFailed, startSession } from "./sign-in.ts";
import type { SignedIn, SignInOrigin } from "./sign-in.ts";
import { countSignIn } from "./sign-in-limits.ts";
import { systemCtx } from "./system-ctx.ts";
import { readClientData, verifyPasskeyAnswer } from "./verify-passkey.ts";

/** What a browser asks for a passkey with: any one that it has of this site. `browser`: the cookie that goes back with the answer. */
export function passkeyRequest(browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { rpId } = requirePasskeyPlace();
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: Uint8Array.from(makeChallenge({ browser }, new Date())),
    userVerification: "required",
  });
}

/**
 * Starts a session for the person of a passkey that has made sure of its user, which counts as both factors. Throws `sign_in_failed`,
 * with the same words and in the same time, whatever was wrong and whether or not the passkey is known; `sign_in_slowed` as
 * for passwords, and `sign_in_way_not_allowed` where the organisation wants another way in. One that has signed no more often than it said
 * before is refused: somebody has a copy.
 */
export async function signInWithPasskey(
  db: Db,
  input: { answer: unknown; browser: string | null } & SignInOrigin,
): Promise<SignedIn> {
  const place = requirePasskeyPlace();
  const parsed = passkeyAnswerSchema.safeParse(input.answer);
  if (!parsed.success) throw failed();
  const answer = parsed.data;
  const passkey = await findPasskey(db, Buffer.from(answer.id, "base64url"), input.ip);
  const attempt = await countAnswer(db, answer, passkey, input);
  const client = readClientData(answer.response.clientDataJSON);
  const browser = readBrowserCookie(input.browser);
  const challenge =
    client && !client.framed && browser !== null
      ? readChallenge(client.challenge, { browser }, new Date())
      : null;
  const fresh = challenge !== null && (await takeChallenge(db, challenge));
  const proven =
    client && fresh
      ? await verifyPasskeyAnswer(answer, {
          ...place,
          challenge: client.challenge,
          publicKey: passkey?.publicKey,
        })
      : null;
  if (!passkey || !proven || !namesItsPerson(answer, passkey) || passkey.disabledAt) {
    logger().warn(
      { tenantId: passkey?.tenantId, userId: passkey?.userId },
      "a sign-in with a passkey failed",
    );
    throw failed();
  }
  const version = await noteUse(db, passkey, proven.counter, input.requestId);
  if (version === undefined) throw failed();
  await attempt.succeeded();
  return startSession(db, passkey, passkey.email, "passkey", input, { version });
}

/** Counts an attempt as those with a password are; the passkey that is named stands for the account. */
function countAnswer(
  db: Db,
  answer: PasskeyAnswer,
  passkey: FoundPasskey | undefined,
  { ip, device: cookie }: SignInOrigin,
) {
  const address = ip === null ? null : callerGroup(ip);
  const device = passkey && deviceOf(passkey.userId, cookie);
  const known = device !== undefined || passkey?.knownAddress === true;
  return countSignIn(db, {
    source:
      device === undefined ? `passkey ${answer.id} ${address ?? "unknown"}` : `passkey of device ${device}`,
    account: null,
    address: known ? null : address,
    site: null,
  });
}

const namesItsPerson = ({ response }: PasskeyAnswer, { handle }: FoundPasskey): boolean =>
  handle?.equals(Buffer.from(response.userHandle, "base64url")) === true;

/** Notes the use, and returns the version of the person's row; undefined, with a notice for the person, when there may be a copy. */
async function noteUse(
  db: Db,
  passkey: FoundPasskey,
  counter: number,
  requestId: string,
): Promise<string | undefined> {
  const { tenantId, userId, passkeyId: id } = passkey;
  const ctx = systemCtx(db, tenantId, "Sign-in", requestId);
  return inTenant(ctx, async (tx) => {
    const version = await advanceCounter(tx, tenantId, { id, counter, at: ctx.now() });
    if (version !== undefined) return version;
    const row = await tx.passkey.findUnique({
      where: { tenantId_id: { tenantId, id } },
      select: { name: true },
    });
    // Removed at this moment.
    if (!row) return undefined;
    logger().warn({ tenantId, userId }, "a passkey was refused: there may be a copy of it");
    const about = { targetType: "user", targetId: userId };
    await recordAudit(ctx, tx, { action: "passkey.copied", ...about, data: { passkey: row.name } });
    await writeNotices(ctx, tx, [userId], {
      kind: "sign_in.passkey_copied",
      ...about,
      data: { name: row.name },
    });
    return undefined;
  });
}

const failed = (): DomainError => signInFailed("passkey");
