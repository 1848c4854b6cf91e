import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import { admitMember } from "./admit-member.ts";
import { changeMembers, replaceDirectoryRoles } from "./directory-access.ts";
import { holdPerson, markProviderSessionsRevoked } from "./queries.ts";
import { hasOwner } from "./member-queries.ts";
import { startSession } from "./sign-in.ts";
import type { SignedIn, SignInOrigin, VouchingProvider } from "./sign-in.ts";
import { requireWay } from "./sign-in-policy.ts";
import { systemCtx } from "./system-ctx.ts";

/** People of one organisation whom its identity providers know. */
const maxIdentities = 50_000;

/** Why somebody whom an identity provider vouches for is not let in. */
export type NotLetIn = "no_member" | "suspended" | "another_identity";

/** Somebody whom an organisation's identity provider vouches for. The caller has checked all that it says. */
export interface Vouched {
  provider: VouchingProvider;
  /** The provider's own name of the person. */
  subject: string;
  /** Verified, of a domain that the organisation has proven, lower-cased. */
  email: string;
  name: string;
  /** Whether somebody who is no member becomes one. */
  admits: boolean;
  /** What the provider's rules give this person; asked for while nobody changes the tenant's members. */
  roles(tx: Tx): Promise<readonly { roleId: string; unitId: string | null; by: string }[]>;
}

/**
 * Starts a session for a person of one organisation, and of no other. The first time the account is found by address, from then on by
 * the provider's own name of the person alone: an address that is given to somebody else there opens nobody's account. What the
 * provider's rules give becomes exactly what is asked for. Returns why not, where somebody is not let in: whom a person has removed
 * does not come back by signing in, and who is suspended or deactivated stays out. Throws as startSession does, and what the provider
 * throws that vouches no more.
 */
export async function signInThroughProvider(
  db: Db,
  tenantId: string,
  vouched: Vouched,
  from: SignInOrigin,
): Promise<SignedIn | NotLetIn> {
  const ctx = systemCtx(db, tenantId, vouched.provider.name, from.requestId);
  // Before anybody joins or has other roles.
  await refuseSuspended(db, tenantId);
  const version = await versionOf(ctx, vouched);
  await requireWay(ctx, "identity_provider");
  const person = await changeMembers(ctx, (tx) => settle(ctx, tx, vouched, true)).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "conflict") throw error;
    // The rules would take the last owner's role, or give more than one person can have: nobody is locked out by that.
    logger().warn({ err: error, tenantId }, "roles of an identity provider were left as they are");
    return changeMembers(ctx, (tx) => settle(ctx, tx, vouched, false));
  });
  if (typeof person === "string") return person;
  const { tenant } = await getCatalogue(ctx);
  return startSession(
    db,
    { tenantId, tenantSlug: tenant.slug, userId: person.id, name: person.name },
    person.email,
    "identity_provider",
    from,
    { provider: vouched.provider, ...(version === undefined ? {} : { version }) },
  );
}

/** The version of the row (holdPerson) of somebody who has an account already. */
async function versionOf(ctx: Ctx, vouched: Vouched): Promise<string | undefined> {
  const { tenantId } = ctx;
  return inTenant(ctx, async (tx) => {
    const { account } = await findAccount(tx, tenantId, vouched);
    return account ? (await holdPerson(tx, tenantId, account.id))?.version : undefined;
  });
}

/** Whether the provider has vouched for somebody of this name before, and whose account it opens. */
async function findAccount(tx: Tx, tenantId: string, { provider, subject, email }: Vouched) {
  const key = { tenantId, providerId: provider.id, subject };
  const known = await tx.externalIdentity.findUnique({ where: { tenantId_providerId_subject: key } });
  const account = await tx.user.findUnique({
    where: known ? { tenantId_id: { tenantId, id: known.userId } } : { tenantId_email: { tenantId, email } },
  });
  return { key, known, account };
}

async function settle(
  ctx: Ctx,
  tx: Tx,
  vouched: Vouched,
  withRoles: boolean,
): Promise<{ id: string; name: string; email: string } | NotLetIn> {
  const { tenantId } = ctx;
  const { provider, email, name } = vouched;
  await provider.hold(tx);
  const { key, known, account } = await findAccount(tx, tenantId, vouched);
  if (account?.removedAt) return "no_member";
  if (account?.disabledAt) return "suspended";
  if (!account && !vouched.admits) return "no_member";
  if (account && !known) {
    const other = await tx.externalIdentity.count({
      where: { tenantId, userId: account.id, providerId: provider.id },
    });
    if (other > 0) return "another_identity";
  }
  if (!known && (await tx.externalIdentity.count({ where: { tenantId } })) >= maxIdentities) {
    ctx.log.warn({ tenantId }, "the organisation's identity providers know more people than there may be");
    return "no_member";
  }
  const userId =
    account?.id ??
    (await admitMember(ctx, tx, {
      email,
      name,
      passwordHash: null,
      assignments: [],
      grantedBy: { id: null, name: provider.name },
    }));
  const at = ctx.now();
  await tx.externalIdentity.upsert({
    where: { tenantId_providerId_subject: key },
    create: { ...key, userId, createdAt: at, lastUsedAt: at },
    update: { lastUsedAt: at },
  });
  if (!known) {
    await recordAudit(ctx, tx, {
      action: "member.identity_connected",
      targetType: "user",
      targetId: userId,
      data: { name: account?.name ?? name, provider: provider.name },
      before: { connected: false },
      after: { connected: true },
    });
  }
  if (withRoles) {
    const wanted = (await vouched.roles(tx)).map((role) => ({ ...role, userId }));
    await replaceDirectoryRoles(ctx, tx, [userId], wanted, provider.id);
  }
  return account ?? { id: userId, name, email };
}

/** Ends the sessions that a provider began, in the caller's transaction; returns how many. Call `forgetAccess` after the commit. */
export function endProviderSessions(ctx: Ctx, tx: Tx, providerId: string): Promise<number> {
  return markProviderSessionsRevoked(tx, { tenantId: ctx.tenantId, providerId, at: ctx.now() });
}

/** Forgets who is who at a provider: at their next sign-in people are found by their address again. Returns how many. */
export async function forgetIdentities(ctx: Ctx, tx: Tx, providerId: string): Promise<number> {
  const { count } = await tx.externalIdentity.deleteMany({ where: { tenantId: ctx.tenantId, providerId } });
  return count;
}

/**
 * Takes away what a provider gave: all of it, or one role in one place. Throws `conflict` when nobody would own the tenant any more.
 */
export async function takeProviderRoles(
  ctx: Ctx,
  tx: Tx,
  providerId: string,
  one?: { roleId: string; unitId: string | null },
): Promise<number> {
  const { tenantId } = ctx;
  const { count } = await tx.roleAssignment.deleteMany({ where: { tenantId, providerId, ...one } });
  if (count > 0 && !(await hasOwner(tx, tenantId))) {
    throw new DomainError("conflict", "The organisation would have no owner. Make someone an owner first.");
  }
  return count;
}

/** How many people have signed in through each provider. */
export async function countIdentities(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx.externalIdentity.groupBy({
    by: ["providerId"],
    where: { tenantId },
    _count: { subject: true },
  });
  return new Map(rows.map((row) => [row.providerId, row._count.subject]));
}
