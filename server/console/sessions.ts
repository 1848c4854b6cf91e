import { hash, randomBytes } from "node:crypto";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import type { ConsoleDbs, OperatorCtx } from "./operator-ctx.ts";
import {
  endSessions,
  holdOperator,
  insertEvent,
  insertSession,
  selectSession,
  updateLastSeen,
} from "./queries.ts";
import type { OperatorRow } from "./queries.ts";

/** A session ends this long after sign-in in any case, seconds. */
export const operatorSessionSeconds = 8 * 3_600;
/** A session ends when nobody has done anything in it for this long, seconds; what pages ask for by themselves does not count. */
export const operatorIdleSeconds = 30 * 60;

export const secretBytes = 32;
export const hashOf = (token: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hash("sha256", Buffer.from(token, "base64url"), "buffer"));

/** Where somebody signs in from. */
export interface OperatorOrigin {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

/** What is said of a sign-in that failed, the same whatever was wrong. */
export const signInFailed = (): DomainError =>
  new DomainError("sign_in_failed", "Wrong e-mail address or password.");

/**
 * Starts a session for an operator who has proved to be one; returns what their cookie holds, which is stored nowhere. Throws
 * `sign_in_failed` when their sessions were ended since they were looked up.
 */
export async function startSession(db: Db, operator: OperatorRow, from: OperatorOrigin): Promise<string> {
  const token = randomBytes(secretBytes).toString("base64url");
  const at = new Date();
  const id = newId();
  await db.prisma.$transaction(async (tx) => {
    if ((await holdOperator(tx, operator.id)) !== operator.version) {
      logger().warn(
        { operatorId: operator.id },
        "a sign-in to the console was overtaken by a change of the account",
      );
      throw signInFailed();
    }
    await insertSession(tx, {
      id,
      operatorId: operator.id,
      hash: hashOf(token),
      at,
      expiresAt: new Date(at.getTime() + operatorSessionSeconds * 1_000),
      ip: from.ip,
      userAgent: from.userAgent?.slice(0, 300) ?? null,
    });
    await insertEvent(tx, {
      id: newId(),
      at,
      operatorId: operator.id,
      operatorName: operator.name,
      sessionId: id,
      action: "session.started",
      organisation: null,
      organisationSlug: null,
      requestId: from.requestId,
      ip: from.ip,
      data: { with: "password" },
    });
  });
  return token;
}

/** The ctx of whoever has the cookie; undefined when its session is over or never was. */
export async function loadOperator(
  dbs: ConsoleDbs,
  token: string | null,
  from: { ip: string | null; requestId: string },
): Promise<OperatorCtx | undefined> {
  if (token === null || Buffer.from(token, "base64url").length !== secretBytes) return undefined;
  const session = await selectSession(dbs.console, hashOf(token), operatorIdleSeconds);
  if (!session) return undefined;
  const { id, operatorId, name, email, secondFactor } = session;
  return {
    ...dbs,
    ...from,
    operator: { id: operatorId, name, email },
    sessionId: id,
    secondFactorMissing: !secondFactor && env().consoleSecondFactorRequired,
    now: () => new Date(),
  };
}

/** Somebody is at work: the session does not end for idleness yet. */
export function touchSession(ctx: OperatorCtx): Promise<void> {
  return updateLastSeen(ctx.console, ctx.sessionId);
}

export async function endSession(ctx: OperatorCtx): Promise<void> {
  await ctx.console.prisma.$transaction(async (tx) => {
    await endSessions(tx, { operatorId: ctx.operator.id, id: ctx.sessionId }, ctx.now());
    await insertEvent(tx, {
      id: newId(),
      at: ctx.now(),
      operatorId: ctx.operator.id,
      operatorName: ctx.operator.name,
      sessionId: ctx.sessionId,
      action: "session.ended",
      organisation: null,
      organisationSlug: null,
      requestId: ctx.requestId,
      ip: ctx.ip,
      data: {},
    });
  });
}
