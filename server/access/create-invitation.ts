import { addressToken } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { refuseEscalation, refuseRemovedCreator } from "./api-key-scope.ts";
import { makeInvitationToken } from "./invitation-token.ts";
import { authorizeMembers, grantableRole, managedUnits } from "./member-rules.ts";
import { countInvitations, deleteOldInvitations, selectInvitations } from "./invitation-queries.ts";
import { isPersonIn, lockMembers } from "./member-queries.ts";
import { lockRolesById } from "./role-queries.ts";
import type { InvitationRow } from "./invitation-queries.ts";
import { accessLimits, createInvitationSchema, invitationSchema } from "./schemas.ts";
import type { CreateInvitationInput, InvitationInput } from "./schemas.ts";
import { soleUnit } from "./sole-unit.ts";

/** An invitation with its link's token, which is known this once and stored nowhere. */
export interface NewInvitation {
  id: string;
  email: string;
  name: string;
  /** The unit in which all of it holds; null: several, or the whole tenant. */
  unitId: string | null;
  token: string;
  expiresAt: Date;
}

const day = 86_400_000;

/**
 * Invites an address to become a member, with roles of which the actor has every permission where they are to hold. Whether the
 * address has an account elsewhere, in another organisation or with a team that the actor does not see, changes nothing. Throws
 * `conflict` for a member or invitation that the actor sees, `rate_limited` after too many links in an hour.
 */
export async function createInvitation(ctx: Ctx, input: CreateInvitationInput): Promise<NewInvitation> {
  const { email, name, assignments } = createInvitationSchema.parse(input);
  for (const { unitId } of assignments) await authorizeMembers(ctx, unitId);
  const person = inviter(ctx);
  await refuseInvited(ctx, email);
  const address = await addressToken(ctx, email);
  const { tenantId } = ctx;
  const { text, hash } = makeInvitationToken();
  const id = newId();
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + accessLimits.invitationDays * day);
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    await refuseRemovedCreator(ctx, tx, person.id);
    await refuseMember(ctx, tx, email);
    await refuseTooMany(tx, tenantId, "new");
    const roles = [];
    for (const [index, { role, unitId }] of assignments.entries()) {
      const pointer = `/assignments/${String(index)}/role`;
      roles.push({ ...(await grantableRole(ctx, tx, role, { unitId }, pointer)), unitId });
    }
    await tx.invitation.create({
      data: {
        tenantId,
        id,
        email,
        name,
        assignments: roles.map((role) => ({ roleId: role.id, unitId: role.unitId })),
        tokenHash: Uint8Array.from(hash),
        invitedById: person.id,
        invitedByName: person.name,
        linkedAt: now,
        expiresAt,
        createdAt: now,
      },
    });
    await deleteOldInvitations(tx, tenantId);
    await recordAudit(ctx, tx, {
      action: "invitation.created",
      targetType: "invitation",
      targetId: id,
      unitId: soleUnit(assignments),
      data: { name, address },
      after: { roles: assignments, expiresAt },
    });
  });
  return { id, email, name, unitId: soleUnit(assignments), token: text, expiresAt };
}

/**
 * Makes a new link for an invitation that is open or has expired; the one before ends. From now on the actor answers for what
 * it gives, and needs all of it. Throws `not_found` for one that has ended or that the actor does not see, `conflict` when a role or
 * team in it was deleted, because nobody could accept it, and `rate_limited`.
 */
export async function renewInvitation(ctx: Ctx, input: InvitationInput): Promise<NewInvitation> {
  const invitation = await requireInvitation(ctx, input);
  const person = inviter(ctx);
  const { tenantId } = ctx;
  const { id, email, name, assignments } = invitation;
  const { units } = await getCatalogue(ctx);
  const address = await addressToken(ctx, email);
  const { text, hash } = makeInvitationToken();
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + accessLimits.invitationDays * day);
  await inTenant(ctx, async (tx) => {
    await lockMembers(tx, tenantId);
    await refuseRemovedCreator(ctx, tx, person.id);
    await refuseTooMany(tx, tenantId, "again");
    const roles = await lockRolesById(tx, tenantId, [...new Set(assignments.map(({ roleId }) => roleId))]);
    for (const { roleId, unitId } of assignments) {
      const role = roles.find((each) => each.id === roleId);
      if (!role || (unitId !== null && !units.some((unit) => unit.id === unitId))) {
        throw new DomainError(
          "conflict",
          "A role or team in this invitation was deleted. Withdraw it and invite them again.",
        );
      }
      refuseEscalation(ctx, role.permissions, { unitId });
    }
    const { count } = await tx.invitation.updateMany({
      where: { tenantId, id, endedAt: null, links: { lt: accessLimits.linksEach } },
      data: {
        tokenHash: Uint8Array.from(hash),
        invitedById: person.id,
        invitedByName: person.name,
        links: { increment: 1 },
        linkedAt: now,
        expiresAt,
      },
    });
    if (count === 0) {
      if (invitation.links < accessLimits.linksEach) throw notFound();
      throw new DomainError("conflict", "It was sent too often. Withdraw it and invite them again.");
    }
    await recordAudit(ctx, tx, {
      action: "invitation.renewed",
      targetType: "invitation",
      targetId: id,
      unitId: soleUnit(assignments),
      data: { name, address },
      before: { invitedBy: invitation.invitedByName, expiresAt: invitation.expiresAt },
      after: { invitedBy: person.name, expiresAt },
    });
  });
  return { id, email, name, unitId: soleUnit(assignments), token: text, expiresAt };
}

/** Ends an invitation: its link opens nothing any more. Throws `not_found` for one that has ended or is not the actor's to see. */
export async function withdrawInvitation(ctx: Ctx, input: InvitationInput): Promise<void> {
  const { id, email, name, assignments } = await requireInvitation(ctx, input);
  const address = await addressToken(ctx, email);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: { tenantId, id, endedAt: null },
      data: { endedAt: ctx.now(), outcome: "withdrawn", tokenHash: null },
    });
    if (count === 0) throw notFound();
    await recordAudit(ctx, tx, {
      action: "invitation.withdrawn",
      targetType: "invitation",
      targetId: id,
      unitId: soleUnit(assignments),
      data: { name, address },
      before: { outcome: null },
      after: { outcome: "withdrawn" },
    });
  });
}

/** An invitation that has not ended and all of whose places the actor manages. */
async function requireInvitation(ctx: Ctx, input: InvitationInput): Promise<InvitationRow> {
  const { id } = invitationSchema.parse(input);
  const [found] = await selectInvitations(ctx, { unitIds: managedUnits(ctx), id, before: null, limit: 1 });
  if (!found) throw notFound();
  for (const { unitId } of found.assignments) authorize(ctx, "members:manage", { unitId });
  return found;
}

/** Who answers for an invitation: a person, or the set-up. Keys invite nobody. */
function inviter({ actor }: Ctx): { id: string | null; name: string } {
  if (actor.type === "apiKey") throw new DomainError("permission_denied", "Only people can invite people.");
  return { id: actor.id, name: actor.name };
}

async function refuseInvited(ctx: Ctx, email: string): Promise<void> {
  const [open] = await selectInvitations(ctx, {
    unitIds: managedUnits(ctx),
    email,
    before: null,
    limit: 1,
  });
  if (open) throw taken("This address already has an invitation. Send it again, or withdraw it.");
}

/** Tells of members whom the actor sees only: others' team mates are answered like strangers. */
async function refuseMember(ctx: Ctx, tx: Tx, email: string): Promise<void> {
  const { tenantId } = ctx;
  const known = await tx.user.findUnique({ where: { tenantId_email: { tenantId, email } } });
  if (!known || known.removedAt) return;
  const units = managedUnits(ctx);
  if (units !== null && !(await isPersonIn(tx, tenantId, known.id, units))) return;
  throw taken("This address belongs to a member. Assign the role on their page.");
}

function taken(detail: string): DomainError {
  return new DomainError("conflict", detail, { errors: [{ pointer: "/email", code: "taken", detail }] });
}

async function refuseTooMany(tx: Tx, tenantId: string, kind: "new" | "again"): Promise<void> {
  const { links, open } = await countInvitations(tx, tenantId);
  if (links >= accessLimits.linksPerHour) {
    throw new DomainError(
      "rate_limited",
      "Too many invitations were sent in the last hour. Try again later.",
      {
        retryAfter: 600,
      },
    );
  }
  if (kind === "new" && open >= accessLimits.openInvitations) {
    const limit = String(accessLimits.openInvitations);
    throw new DomainError("conflict", `${limit} invitations are open already. Withdraw some first.`);
  }
}
