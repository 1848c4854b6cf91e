import { addressToken } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { may } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { refuseSuspended } from "../tenancy/suspension.ts";
import { admitMember } from "./admit-member.ts";
import { currentGrants } from "./current-grants.ts";
import { invitationHash } from "./invitation-token.ts";
import { hashNewPassword } from "./new-password.ts";
import { findInvitation, selectInvitations } from "./invitation-queries.ts";
import { lockMembers } from "./member-queries.ts";
import { lockRolesById } from "./role-queries.ts";
import type { InvitationRow } from "./invitation-queries.ts";
import { forgetSessions } from "./sessions.ts";
import { provePassword } from "./sign-in.ts";
import type { SignInOrigin } from "./sign-in.ts";
import { systemCtx } from "./system-ctx.ts";

/** What the accept page shows to whoever has the link. */
export interface InvitationFacts {
  /** For the service, not for the page. */
  tenantId: string;
  organisation: { slug: string; name: string };
  email: string;
  name: string;
  invitedBy: string;
  roles: { name: string; unit: string | null }[];
  expiresAt: Date;
  /** The address has an account in this organisation: its password is asked for instead of a new one. */
  hasAccount: boolean;
}

interface Opened {
  ctx: Ctx;
  hash: Buffer;
  catalogue: Catalogue;
  invitation: InvitationRow;
}

/** The same for an unknown, used, replaced, withdrawn or expired one, and for one whose sender may not give this any more. */
function over(): DomainError {
  return new DomainError(
    "not_found",
    "This invitation is no longer valid. Ask whoever invited you for a new one.",
  );
}

async function open(db: Db, token: string, requestId: string): Promise<Opened> {
  const hash = invitationHash(token);
  const found = hash && (await findInvitation(db, hash));
  if (!found) throw over();
  await refuseSuspended(db, found.tenantId);
  const ctx = systemCtx(db, found.tenantId, "Invitation", requestId);
  const [[invitation], catalogue] = await Promise.all([
    selectInvitations(ctx, { unitIds: null, id: found.id, before: null, limit: 1 }),
    getCatalogue(ctx),
  ]);
  if (!invitation) throw over();
  return { ctx, hash, catalogue, invitation };
}

const accountOf = ({ ctx, invitation }: Opened) =>
  inTenant(ctx, (tx) =>
    tx.user.findUnique({
      where: { tenantId_email: { tenantId: ctx.tenantId, email: invitation.email } },
      select: { id: true, name: true, removedAt: true },
    }),
  );

/**
 * What an invitation is for, for whoever has its link. Throws `not_found` for a link that opens nothing, and
 * `organisation_suspended`.
 */
export async function readInvitation(
  db: Db,
  input: { token: string; requestId: string },
): Promise<InvitationFacts> {
  const opened = await open(db, input.token, input.requestId);
  const { ctx, catalogue, invitation } = opened;
  const account = await accountOf(opened);
  const roles = await inTenant(ctx, (tx) => lockRolesById(tx, ctx.tenantId, roleIds(invitation)));
  return {
    tenantId: ctx.tenantId,
    organisation: { slug: catalogue.tenant.slug, name: catalogue.tenant.name },
    email: invitation.email,
    name: invitation.name,
    invitedBy: invitation.invitedByName,
    roles: invitation.assignments.map(({ roleId, unitId }) => ({
      name: roles.find((role) => role.id === roleId)?.name ?? "deleted",
      unit: unitId === null ? null : (catalogue.units.find((unit) => unit.id === unitId)?.name ?? "deleted"),
    })),
    expiresAt: invitation.expiresAt,
    hasAccount: !isNobody(account),
  };
}

const isNobody = (account: { removedAt: Date | null } | null) => account?.removedAt !== null;

const roleIds = ({ assignments }: InvitationRow) => [...new Set(assignments.map(({ roleId }) => roleId))];

/**
 * Makes whoever has the link a member: with a name and password of their own, or, if the address has an account in this
 * organisation, with that account once its password was given; having the link does not open or change an account. Once only.
 * Throws `not_found` for a link that opens nothing, also when who invited may not give these roles any more;
 * `organisation_suspended`; `sign_in_failed` and `sign_in_slowed` for the password of an account, `invalid_request` for a new one that is poor.
 */
export async function acceptInvitation(
  db: Db,
  input: { token: string; name?: string | undefined; password: string } & SignInOrigin,
): Promise<{ organisation: string; email: string }> {
  const opened = await open(db, input.token, input.requestId);
  const { ctx, hash, catalogue, invitation } = opened;
  const { tenantId } = ctx;
  const account = await accountOf(opened);
  const joins = isNobody(account);
  const passwordHash = joins
    ? await hashNewPassword(input.password, {
        pointer: "/accept/password",
        chooser: [
          input.name,
          invitation.name,
          invitation.email,
          catalogue.tenant.slug,
          catalogue.tenant.name,
        ],
      })
    : null;
  if (!joins) {
    await provePassword(db, { ...input, organisation: catalogue.tenant.slug, email: invitation.email });
  }
  const { invitedById } = invitation;
  const address = await addressToken(ctx, invitation.email);
  const inviter: Ctx | null =
    invitedById === null
      ? null
      : {
          ...ctx,
          actor: { type: "user", id: invitedById, name: invitation.invitedByName, email: "" },
          grants: await currentGrants(ctx, {
            type: "user",
            id: invitedById,
            name: invitation.invitedByName,
            email: "",
          }),
        };
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    const { count } = await tx.invitation.updateMany({
      where: {
        tenantId,
        id: invitation.id,
        tokenHash: Uint8Array.from(hash),
        endedAt: null,
        expiresAt: { gt: ctx.now() },
      },
      data: { endedAt: ctx.now(), outcome: "accepted", tokenHash: null },
    });
    if (count === 0) throw over();
    const roles = await lockRolesById(tx, tenantId, roleIds(invitation));
    for (const { roleId, unitId } of invitation.assignments) {
      const role = roles.find((each) => each.id === roleId);
      const place = unitId === null || catalogue.units.some((unit) => unit.id === unitId);
      if (!role || !place || !mayStillGive(inviter, role.permissions, unitId)) {
        logger().warn({ tenantId, invitationId: invitation.id }, "who invited may not give this any more");
        throw over();
      }
    }
    // Whether the account is still what the password was asked for.
    const now = await tx.user.findUnique({
      where: { tenantId_email: { tenantId, email: invitation.email } },
      select: { removedAt: true, disabledAt: true },
    });
    if (joins !== isNobody(now)) throw over();
    if (!joins && now?.disabledAt) throw over();
    const name = input.name ?? invitation.name;
    const userId = await admitMember(ctx, tx, {
      email: invitation.email,
      name,
      passwordHash,
      assignments: invitation.assignments,
      grantedBy: { id: invitedById, name: invitation.invitedByName },
    });
    await recordAudit({ ...ctx, actor: { type: "user", id: userId, name, email: "" } }, tx, {
      action: "invitation.accepted",
      targetType: "invitation",
      targetId: invitation.id,
      data: { name, address, userId },
      before: { outcome: null },
      after: {
        outcome: "accepted",
        roles: invitation.assignments.map(({ roleId, unitId }) => ({
          role: roles.find((role) => role.id === roleId)?.key,
          unitId,
        })),
      },
    });
  });
  forgetSessions();
  return { organisation: catalogue.tenant.slug, email: invitation.email };
}

/** Whether who answers for an invitation manages members there and has all of the role; nobody answers for the set-up's. */
function mayStillGive(inviter: Ctx | null, granted: readonly string[], unitId: string | null): boolean {
  return (
    inviter === null ||
    (may(inviter, "members:manage", { unitId }) &&
      granted.every((permission) => may(inviter, permission as Permission, { unitId })))
  );
}
