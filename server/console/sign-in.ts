import { deviceOf, makeDevice } from "../access/known-device.ts";
import { hashNewPassword } from "../access/new-password.ts";
import { verifyPassword } from "../access/password.ts";
import { countSignIn } from "../access/sign-in-limits.ts";
import { callerGroup, callerSite } from "../kernel/client-address.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import type { ConsoleDbs } from "./operator-ctx.ts";
import { endSessions, findLink, findOperator, insertEvent, takeLink, writePassword } from "./queries.ts";
import type { OperatorRow } from "./queries.ts";
import { recordFailedSignIn } from "./record-event.ts";
import { passOperatorFactor } from "./second-factor.ts";
import { hashOf, signInFailed, startSession } from "./sessions.ts";
import type { OperatorOrigin } from "./sessions.ts";

export interface OperatorSignedIn {
  /** The session's cookie. */
  token: string;
  /** The cookie that makes the browser known at the next sign-in. */
  device: string;
}

/**
 * Checks address and password. Throws `sign_in_failed`, with the same words and timing whether the address is unknown, has no
 * password yet or the password is wrong; `sign_in_slowed` after too many attempts, for at most a minute; `service_overloaded`.
 * Attempts from elsewhere do not slow down a browser from which the operator has signed in before.
 */
async function proveOperator(
  dbs: ConsoleDbs,
  input: { email: string; password: string; device: string | null } & OperatorOrigin,
): Promise<OperatorRow> {
  const email = input.email.trim().toLowerCase().slice(0, 254);
  const operator = await findOperator(dbs.console, email);
  const address = input.ip === null ? null : callerGroup(input.ip);
  const site = callerSite(input.ip);
  const device = operator && deviceOf(operator.id, input.device);
  const known = device !== undefined;
  const account = `console ${email}`;
  const attempt = await countSignIn(dbs.web, {
    source: known ? `device ${device}` : `${account} ${address ?? "unknown"}`,
    account: known ? null : account,
    address: known ? null : address,
    site: known || site === null ? null : `${account} ${site}`,
  });
  const matches = await verifyPassword(
    operator?.passwordHash ?? null,
    input.password.slice(0, 1_024),
    known ? undefined : (address ?? undefined),
  );
  if (!operator || !matches) {
    logger().warn(
      { operatorId: operator?.id, failures: attempt.failures },
      "a sign-in to the console failed",
    );
    await recordFailedSignIn(dbs.console, operator, {
      with: "password",
      failures: Math.max(attempt.failures, attempt.accountFailures),
      ip: input.ip,
      requestId: input.requestId,
    });
    throw signInFailed();
  }
  await attempt.succeeded();
  return operator;
}

/**
 * Starts a session in the console, for who has the password and, where they have a second factor, a code of it. Throws as
 * proveOperator, passOperatorFactor and startSession do.
 */
export async function signInOperator(
  dbs: ConsoleDbs,
  input: { email: string; password: string; code?: string; device: string | null } & OperatorOrigin,
): Promise<OperatorSignedIn> {
  const operator = await proveOperator(dbs, input);
  await passOperatorFactor(dbs, operator, input);
  const token = await startSession(dbs.console, operator, input);
  return { token, device: makeDevice(operator.id) };
}

/**
 * Gives the operator of a link the password that they chose; ends the link and all their sessions. Throws `not_found` for a link
 * that was used, is too old or never was, `sign_in_slowed` after too many of them, and `invalid_request` for a poor password.
 */
export async function setOperatorPassword(
  dbs: ConsoleDbs,
  input: { token: string; password: string } & OperatorOrigin,
): Promise<{ email: string }> {
  const attempt = await countSignIn(dbs.web, {
    source: `operator link ${input.ip === null ? "unknown" : callerGroup(input.ip)}`,
    account: null,
    address: null,
    site: null,
  });
  const over = () => new DomainError("not_found", "This link was used already, or is too old.");
  const link = hashOf(input.token);
  // Looked at first, so that only who has a link makes the service hash.
  const operator = await findLink(dbs.console, link);
  if (!operator) throw over();
  await attempt.succeeded();
  const passwordHash = await hashNewPassword(input.password, {
    pointer: "/password",
    chooser: [operator.name, operator.email],
  });
  const at = new Date();
  await dbs.console.prisma.$transaction(async (tx) => {
    if (!(await takeLink(tx, link))) throw over();
    await writePassword(tx, operator.id, passwordHash);
    await endSessions(tx, { operatorId: operator.id }, at);
    await insertEvent(tx, {
      id: newId(),
      at,
      operatorId: operator.id,
      operatorName: operator.name,
      sessionId: null,
      action: "operator.password_changed",
      organisation: null,
      organisationSlug: null,
      requestId: input.requestId,
      ip: input.ip,
      data: { with: "link" },
    });
  });
  return { email: operator.email };
}
