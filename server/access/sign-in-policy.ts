import { recordAudit } from "../audit/record-audit.ts";
import { changes } from "../audit/changes.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { isOwner } from "./member-queries.ts";
import { ownPerson } from "./prove-own-password.ts";
import { selectSecondFactorFacts } from "./second-factor-queries.ts";
import { sessionLimits } from "./schemas.ts";
import { signInWays } from "./vocabulary.ts";
import type { SignInPolicy, SignInPolicyUpdate, SignInWay } from "./schemas.ts";
import { forgetSessions } from "./sessions.ts";

/** What holds until an organisation says otherwise. */
const byDefault: SignInPolicy = {
  secondFactor: false,
  sessionHours: sessionLimits.hours.max,
  idleMinutes: sessionLimits.idleMinutes.byDefault,
  ways: [...signInWays],
};

async function readPolicy(tx: Tx, tenantId: string): Promise<SignInPolicy> {
  const row = await tx.signInPolicy.findUnique({ where: { tenantId } });
  if (!row) return byDefault;
  const { secondFactor, sessionHours, idleMinutes, ways } = row;
  return { secondFactor, sessionHours, idleMinutes, ways: signInWays.filter((way) => ways.includes(way)) };
}

/**
 * Whether the organisation lets its people, or this one, sign in so. The one question for every way in, also those to come. Owners
 * keep their password.
 */
export async function maySignInBy(
  ctx: Pick<Ctx, "db" | "tenantId">,
  way: SignInWay,
  userId?: string,
): Promise<boolean> {
  return inTenant(ctx, async (tx) => {
    const { ways } = await readPolicy(tx, ctx.tenantId);
    if (ways.includes(way)) return true;
    // The way back when no other works: an owner's password, with their second factor (selectLiveSession asks for it).
    return way === "password" && userId !== undefined && (await isOwner(tx, ctx.tenantId, userId));
  });
}

/** As maySignInBy; throws `sign_in_way_not_allowed`. Asked once somebody has proved who they are, so that it tells nobody else. */
export async function requireWay(
  ctx: Pick<Ctx, "db" | "tenantId">,
  way: SignInWay,
  userId?: string,
): Promise<void> {
  if (await maySignInBy(ctx, way, userId)) return;
  throw new DomainError(
    "sign_in_way_not_allowed",
    `Your organisation does not let people sign in ${wayText[way]}.`,
  );
}

const wayText: Record<SignInWay, string> = {
  password: "with a password",
  passkey: "with a passkey",
  single_sign_on: "through the identity provider of this installation",
  identity_provider: "through its identity provider",
};

/** What the organisation asks of a sign-in, and which ways there are on this installation. */
export async function getSignInPolicy(ctx: Ctx): Promise<SignInPolicy & { singleSignOn: string | null }> {
  authorize(ctx, "settings:manage", { unitId: null });
  const policy = await inTenant(ctx, (tx) => readPolicy(tx, ctx.tenantId));
  return { ...policy, singleSignOn: env().oidc?.name ?? null };
}

/**
 * Changes what the organisation asks of a sign-in; what is not named stays as it is. It holds for open sessions, too, everywhere
 * within five seconds. Needs settings:manage in the whole organisation. Throws `invalid_request` for what would lock out who asks
 * for it: a second factor that they do not have, and ways without the one by which they came.
 */
export async function updateSignInPolicy(
  ctx: Ctx,
  input: SignInPolicyUpdate & { sessionId: string },
): Promise<SignInPolicy> {
  authorize(ctx, "settings:manage", { unitId: null });
  const person = ownPerson(ctx);
  const { tenantId } = ctx;
  const { sessionId, ...changed } = input;
  const refuse = (pointer: string, code: string, detail: string) =>
    new DomainError("invalid_request", detail, { errors: [{ pointer, code, detail }] });
  const facts = await selectSecondFactorFacts(ctx, person.id);
  const policy = await inTenant(ctx, async (tx) => {
    await lockPolicy(tx, tenantId);
    const session = await tx.session.findUnique({
      where: { tenantId_id: { tenantId, id: sessionId } },
      select: { method: true },
    });
    const before = await readPolicy(tx, tenantId);
    const wanted = { ...before, ...changed };
    const own = session?.method;
    if (!wanted.ways.some((way) => way === own)) {
      throw refuse(
        "/ways",
        "locks_out",
        "You signed in another way. Sign in with one that remains allowed, then change this",
      );
    }
    if (wanted.secondFactor && !before.secondFactor && own === "password" && !facts.confirmedAt) {
      throw refuse("/secondFactor", "locks_out", "Set up your own second factor first, under Your account");
    }
    const ways = signInWays.filter((way) => wanted.ways.includes(way));
    const after: SignInPolicy = { ...wanted, ways };
    await tx.signInPolicy.upsert({
      where: { tenantId },
      create: { tenantId, ...after, updatedAt: ctx.now() },
      update: { ...after, updatedAt: ctx.now() },
    });
    await recordAudit(ctx, tx, {
      action: "sign_in_policy.changed",
      targetType: "tenant",
      targetId: tenantId,
      ...changes(before, after),
    });
    return after;
  });
  forgetSessions();
  return policy;
}

async function lockPolicy(tx: Tx, tenantId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('tidings.sign-in policy ' || ${tenantId}, 0))`;
}
