import { randomBytes } from "node:crypto";
import { recordAudit } from "../audit/record-audit.ts";
import { Counts } from "../kernel/counts.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { lookUpTxt } from "../kernel/txt-records.ts";
import type { TxtLookUp } from "../kernel/txt-records.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { authorizeToConnect, authorizeToRead } from "./authorize-directory.ts";
import { selectDomains } from "./queries.ts";
import type { DomainRow } from "./queries.ts";
import { addDomainSchema, domainSchema, proofName } from "./schemas.ts";
import { directoryLimits } from "./vocabulary.ts";
import type { AddDomainInput, DomainInput, ListedDomain } from "./schemas.ts";

const proofText = (token: string): string => `tidings-domain-verification=${token}`;

function listed({ id, name, token, verifiedAt, createdByName, createdAt }: DomainRow): ListedDomain {
  return {
    id,
    name,
    verifiedAt,
    createdBy: createdByName,
    createdAt,
    record: { name: proofName(name), text: proofText(token) },
  };
}

/** The domains that the tenant says are its own, each with the record that proves it. */
export async function listDomains(ctx: Ctx): Promise<{ data: ListedDomain[] }> {
  authorizeToRead(ctx);
  return { data: (await inTenant(ctx, (tx) => selectDomains(tx, ctx.tenantId))).map(listed) };
}

/**
 * Says that a domain is the tenant's own; it counts once it is verified. Needs every permission. Throws `conflict` for one that
 * is there already and for one too many.
 */
export async function addDomain(ctx: Ctx, input: AddDomainInput): Promise<ListedDomain> {
  const { name } = addDomainSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  const id = newId();
  const taken = "This domain is in the list already.";
  return refuseRepeated("/name", taken, () =>
    inTenant(ctx, async (tx) => {
      if ((await tx.domain.count({ where: { tenantId } })) >= directoryLimits.domains) {
        const limit = String(directoryLimits.domains);
        throw new DomainError("conflict", `There are ${limit} domains already. Remove one first.`);
      }
      const token = randomBytes(24).toString("base64url");
      const row = await tx.domain.create({
        data: { tenantId, id, name, token, createdByName: ctx.actor.name, createdAt: ctx.now() },
      });
      await recordAudit(ctx, tx, {
        action: "domain.added",
        targetType: "domain",
        targetId: id,
        data: { name },
        after: { name, verified: false },
      });
      return listed(row);
    }),
  );
}

/** Look-ups under way: those of one tenant whose name servers are slow must not be all. */
const asking = new Counts();
const maxAsking = 2;

/**
 * Looks for the record that proves a domain. Needs every permission. Throws `conflict` while it is not there or cannot be looked
 * up, and when another organisation of the installation has proven the domain before.
 */
export async function verifyDomain(
  ctx: Ctx,
  input: DomainInput,
  lookUp: TxtLookUp = lookUpTxt,
): Promise<ListedDomain> {
  const { id } = domainSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  const where = { tenantId_id: { tenantId, id } };
  const domain = await inTenant(ctx, (tx) => tx.domain.findUnique({ where }));
  if (!domain) throw notFound();
  if (domain.verifiedAt) return listed(domain);
  if (asking.of(tenantId) >= maxAsking) {
    throw new DomainError("rate_limited", "Other domains are being looked up. Try again in a moment.", {
      retryAfter: 5,
    });
  }
  asking.add(tenantId);
  let found: string[];
  try {
    found = await lookUp(proofName(domain.name));
  } catch (error) {
    throw new DomainError(
      "conflict",
      `No name server of ${domain.name} could be asked. Try again in a few minutes.`,
      { cause: error },
    );
  } finally {
    asking.remove(tenantId);
  }
  if (!found.some((text) => text.trim() === proofText(domain.token))) {
    throw new DomainError(
      "conflict",
      found.length === 0
        ? `There is no TXT record at ${proofName(domain.name)} yet. It can take an hour until everybody sees a new one.`
        : `The TXT record at ${proofName(domain.name)} says something else.`,
    );
  }
  const elsewhere =
    "Another organisation of this installation has proven this domain. It has to give it up before, or your operator helps.";
  return refuseRepeated("/id", elsewhere, () =>
    inTenant(ctx, async (tx) => {
      const verifiedAt = ctx.now();
      const { count } = await tx.domain.updateMany({
        where: { tenantId, id },
        data: { verifiedAt, claimedName: domain.name },
      });
      if (count === 0) throw notFound();
      await recordAudit(ctx, tx, {
        action: "domain.verified",
        targetType: "domain",
        targetId: id,
        data: { name: domain.name },
        before: { verified: false },
        after: { verified: true },
      });
      return listed({ ...domain, verifiedAt });
    }),
  );
}

/**
 * Gives a domain up: from now on the directory adds nobody of it, and identity providers vouch for nobody of it. Who is a member stays one. Needs every permission.
 */
export async function removeDomain(ctx: Ctx, input: DomainInput): Promise<void> {
  const { id } = domainSchema.parse(input);
  authorizeToConnect(ctx);
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const where = { tenantId_id: { tenantId, id } };
    const domain = await tx.domain.findUnique({ where });
    if (!domain) throw notFound();
    await tx.domain.delete({ where });
    await recordAudit(ctx, tx, {
      action: "domain.removed",
      targetType: "domain",
      targetId: id,
      data: { name: domain.name },
      before: { name: domain.name, verified: domain.verifiedAt !== null },
    });
  });
}
