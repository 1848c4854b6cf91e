import {
  activateMember,
  admitFromDirectory,
  changeMembers,
  deactivateMember,
  findMemberByEmail,
  removeFromDirectory,
  renameMember,
} from "../access/directory-access.ts";
import { addressTokens } from "../audit/address-token.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { countPeople, findPerson, ownsDomainOf } from "./queries.ts";
import { directoryLimits } from "./vocabulary.ts";
import { scimError } from "./scim-error.ts";
import { accountAddress, accountName, readPerson, showPerson } from "./scim-user.ts";
import type { Person, PersonRow } from "./scim-user.ts";
import { patchPerson } from "./scim-patch.ts";

/*
 * A directory adds, changes and removes people whose address lies in a domain that the tenant has proven to be its own. An account
 * belongs to one organisation: that the same address may have one elsewhere changes nothing and is not told.
 */

const taken = () => scimError("uniqueness", "Another member has this userName, address or externalId.");

/**
 * Makes somebody a member, without roles and without a password. Who was removed comes back. Throws `uniqueness` for a member,
 * `invalidValue` for an address of no domain that the tenant has proven.
 */
export async function createPerson(ctx: Ctx, body: unknown) {
  const person = readPerson(body);
  const email = accountAddress(person);
  const name = accountName(person);
  const { tenantId } = ctx;
  const token = await addressTokens(ctx);
  const row = await changeMembers(ctx, async (tx) => {
    await requireDomain(tx, tenantId, email);
    if ((await findMemberByEmail(tx, tenantId, email)) !== null) throw taken();
    if ((await countPeople(tx, tenantId)) >= directoryLimits.people) {
      throw new DomainError("conflict", `There are ${String(directoryLimits.people)} people already.`);
    }
    const id = await admitFromDirectory(ctx, tx, { email, name });
    // What a directory said of somebody who was removed since is over.
    await forgetPerson(tx, tenantId, id);
    await refuseTaken(tx, tenantId, id, person);
    await tx.directoryPerson.create({ data: { ...columnsOf(ctx, id, person), createdAt: ctx.now() } });
    await recordAudit(ctx, tx, {
      action: "directory_person.created",
      targetType: "user",
      targetId: id,
      data: { name },
      after: { ...facts({ ...person, email }, token), active: person.active },
    });
    if (!person.active) await deactivateMember(ctx, tx, id);
    return requirePerson(tx, tenantId, id);
  });
  return showPerson(row);
}

/**
 * Replaces what the directory says of a person; what the body leaves out is empty, but nobody is let in or locked out by leaving
 * out `active`. Throws as the other changes do.
 */
export function replacePerson(ctx: Ctx, id: string, body: unknown) {
  return changePerson(ctx, id, ({ active }) => readPerson(body, active));
}

/** Changes what the directory says of a person (PATCH). Throws as the other changes do. */
export function patchPersonById(ctx: Ctx, id: string, body: unknown) {
  return changePerson(ctx, id, (current) => patchPerson(current, body));
}

/**
 * Changes a person and, when `active` changes, locks them out or lets them in again: sessions, invitations and links end, their
 * keys stop and their approvals do not count, everywhere within five seconds. Throws `not_found` for whom the directory does not
 * see, `uniqueness`, `invalidValue`, and `conflict` for the last owner.
 */
async function changePerson(ctx: Ctx, id: string, change: (current: Person) => Person) {
  if (!isUuid(id)) throw notFound();
  const { tenantId } = ctx;
  const token = await addressTokens(ctx);
  const row = await changeMembers(ctx, async (tx) => {
    const current = await requirePerson(tx, tenantId, id);
    const person = change(current);
    const email = accountAddress(person);
    const name = accountName(person);
    const known = current.email;
    if (email !== known) {
      await requireDomain(tx, tenantId, email);
      if ((await findMemberByEmail(tx, tenantId, email)) !== null) throw taken();
    }
    if (email !== known || name !== current.name) await renameMember(ctx, tx, { userId: id, email, name });
    await refuseTaken(tx, tenantId, id, person);
    const columns = columnsOf(ctx, id, person);
    await tx.directoryPerson.upsert({
      where: { tenantId_userId: { tenantId, userId: id } },
      create: { ...columns, createdAt: ctx.now() },
      update: columns,
    });
    const changed = changes(
      { name: current.name, ...facts(current, token) },
      { name, ...facts({ ...person, email }, token) },
    );
    if (Object.keys(changed.after).length > 0) {
      await recordAudit(ctx, tx, {
        action: "directory_person.changed",
        targetType: "user",
        targetId: id,
        data: { name },
        ...changed,
      });
    }
    if (person.active) await activateMember(ctx, tx, id);
    else await deactivateMember(ctx, tx, id);
    return requirePerson(tx, tenantId, id);
  });
  return showPerson(row);
}

/** Removes a person for good: roles, password, sessions, keys. Throws `not_found`, and `conflict` for the last owner. */
export async function deletePerson(ctx: Ctx, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const { tenantId } = ctx;
  await changeMembers(ctx, async (tx) => {
    await requirePerson(tx, tenantId, id);
    await removeFromDirectory(ctx, tx, id);
    await forgetPerson(tx, tenantId, id);
  });
}

async function requirePerson(tx: Tx, tenantId: string, id: string): Promise<PersonRow> {
  const person = await findPerson(tx, tenantId, id);
  if (!person) throw notFound();
  return person;
}

async function forgetPerson(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.directoryGroupMember.deleteMany({ where: { tenantId, userId } });
  await tx.directoryPerson.deleteMany({ where: { tenantId, userId } });
}

async function requireDomain(tx: Tx, tenantId: string, email: string): Promise<void> {
  if (await ownsDomainOf(tx, tenantId, email)) return;
  throw scimError(
    "invalidValue",
    `Nobody has proven that ${email.slice(email.lastIndexOf("@") + 1)} is this organisation's domain. An owner does so in Tidings, under Settings → Directory.`,
  );
}

async function refuseTaken(tx: Tx, tenantId: string, userId: string, person: Person): Promise<void> {
  const same = await tx.directoryPerson.findFirst({
    where: {
      tenantId,
      NOT: { userId },
      OR: [
        { userNameKey: person.userName.toLowerCase() },
        ...(person.externalId === null ? [] : [{ externalId: person.externalId }]),
      ],
    },
    select: { userId: true },
  });
  if (!same) return;
  // What a directory said of somebody whom a person has removed since is in nobody's way.
  if (await findPerson(tx, tenantId, same.userId)) throw taken();
  await forgetPerson(tx, tenantId, same.userId);
  await refuseTaken(tx, tenantId, userId, person);
}

function columnsOf(ctx: Ctx, userId: string, person: Person) {
  return {
    tenantId: ctx.tenantId,
    userId,
    userName: person.userName,
    userNameKey: person.userName.toLowerCase(),
    externalId: person.externalId,
    givenName: person.givenName,
    familyName: person.familyName,
    displayName: person.displayName,
    updatedAt: ctx.now(),
  };
}

/** What of a person the audit trail tells: addresses as tokens, and names but the account's left out. */
function facts(person: Person, token: (address: string) => string | null) {
  return {
    userName: token(person.userName) ?? person.userName,
    address: person.email === null ? null : token(person.email),
    externalId: person.externalId,
  };
}
