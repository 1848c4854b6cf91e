import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { feesRevision, setPlatformFees } from "../costs/set-platform-fees.ts";
import { platformFeesSchema } from "../costs/schemas.ts";
import type { PlatformFees } from "../costs/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { createOrganisation } from "../onboarding/create-organisation.ts";
import { firstApplication, firstTeam } from "../onboarding/first-application.ts";
import { passwordAddress } from "../onboarding/operator-commands.ts";
import { getQuotaOf, setQuota } from "../quotas/set-quota.ts";
import type { QuotaAndUse } from "../quotas/get-quota.ts";
import type { Quota } from "../quotas/schemas.ts";
import { forgetSuspended, markResumed, markSuspended } from "../tenancy/suspension.ts";
import { insertPermitted, permitTenant } from "../workspace/permit-tenant.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import {
  hasDeletion,
  insertDeletion,
  selectOrganisation,
  selectOrganisations,
  takeBackDeletion,
} from "./queries.ts";
import type { OrganisationRow } from "./queries.ts";
import { recordChange } from "./record-event.ts";
import { hashOf, secretBytes } from "./sessions.ts";
import type {
  createOrganisationSchema,
  deleteOrganisationSchema,
  listOrganisationsSchema,
  setFeesSchema,
  setQuotaSchema,
  suspendOrganisationSchema,
} from "./schemas.ts";

/** An organisation as whoever runs the installation sees it: nothing of what it sends, to whom, or who its people are. */
export interface OrganisationState {
  id: string;
  slug: string;
  name: string;
  dataRegion: string;
  fees: PlatformFees;
  createdAt: Date;
  suspendedAt: Date | null;
  /** It is not suspended any more, and what was held back is still being fetched. */
  resuming: boolean;
  /** It is deleted from then on; begun, it cannot be taken back. */
  deletion: { dueAt: Date; startedAt: Date | null; tablesLeft: number | null } | null;
  /** For how many days a deletion can be taken back. */
  deletionDays: number;
}

function present({
  platformFees,
  resumedAt,
  dueAt,
  startedAt,
  tablesLeft,
  ...row
}: OrganisationRow): OrganisationState {
  return {
    ...row,
    fees: platformFeesSchema.parse(platformFees),
    resuming: row.suspendedAt === null && resumedAt !== null,
    deletion: dueAt && { dueAt, startedAt, tablesLeft },
  };
}

/** One page of the organisations, newest first. */
export async function listOrganisations(ctx: OperatorCtx, query: z.output<typeof listOrganisationsSchema>) {
  const rows = await selectOrganisations(ctx.console, {
    search: query.search ? query.search : null,
    suspended: query.state === undefined ? null : query.state === "suspended",
    before: decodeCursor(query.cursor) ?? null,
    limit: query.limit + 1,
  });
  return toPage(rows, query.limit, present);
}

/** Throws `not_found`. */
export async function getOrganisation(
  ctx: OperatorCtx,
  input: { id: string },
): Promise<OrganisationState & QuotaAndUse & { feesRevision: string }> {
  const row = await required(ctx, input.id);
  const { quota, use } = await getQuotaOf(ctx.console, row.slug);
  const organisation = present(row);
  return { ...organisation, feesRevision: feesRevision(organisation.fees), quota, use };
}

async function required(ctx: OperatorCtx, id: string): Promise<OrganisationRow> {
  const row = await selectOrganisation(ctx.console, id);
  if (!row) throw notFound();
  return row;
}

/** The ctx of what is done to an organisation: its trail names the operator, not the person, whom the operators' own log names. */
function operatorIn(ctx: OperatorCtx, tenantId: string): Ctx {
  return systemCtx(ctx.console, tenantId, "Operator", ctx.requestId);
}

/**
 * Makes an organisation, as `npm run tenant -- create` does: returns the link with which its owner chooses a password and the key
 * of its sandbox, both shown this once. The console's role may only permit it, once and for a minute; the web's role makes it.
 * Throws `conflict` when the short name is taken.
 */
export async function createForOperator(
  ctx: OperatorCtx,
  input: z.output<typeof createOrganisationSchema>,
): Promise<{ id: string; slug: string; owner: { address: string; expiresAt: Date }; sandboxKey: string }> {
  const { email, ownerName, ...organisation } = input;
  const permit = randomBytes(secretBytes).toString("base64url");
  const about = { id: null, slug: organisation.slug };
  await ctx.console.prisma.$transaction(async (tx) => {
    await permitTenant(tx, { hash: hashOf(permit), slug: organisation.slug });
    await recordChange(ctx, tx, {
      action: "organisation.permitted",
      organisation: about,
      data: { name: organisation.name, dataRegion: organisation.dataRegion },
    });
  });
  const made = await createOrganisation(
    ctx.web,
    {
      ...organisation,
      owner: { email, name: ownerName, password: null },
      team: firstTeam,
      application: firstApplication,
    },
    {
      by: { name: "Operator", requestId: ctx.requestId },
      insert: (tx, row) => insertPermitted(tx, hashOf(permit), row),
    },
  );
  await ctx.console.prisma.$transaction((tx) =>
    recordChange(ctx, tx, {
      action: "organisation.created",
      organisation: { id: made.tenantId, slug: made.slug },
      data: { name: organisation.name, dataRegion: organisation.dataRegion },
    }),
  );
  return {
    id: made.tenantId,
    slug: made.slug,
    owner: {
      address: passwordAddress(made.passwordLink?.token ?? ""),
      expiresAt: made.passwordLink?.expiresAt ?? ctx.now(),
    },
    sandboxKey: made.sandboxKey.key,
  };
}

/**
 * Stops an organisation: within five seconds its keys get `organisation_suspended`, its members are signed out and nothing more
 * is sent. Messages that wait keep waiting until their time is up; receipts and answers are still recorded. Throws `not_found`,
 * and `conflict` when it is stopped already.
 */
export async function suspendOrganisation(
  ctx: OperatorCtx,
  input: z.output<typeof suspendOrganisationSchema>,
): Promise<OrganisationState> {
  const { reason } = input;
  return turn(ctx, input.id, {
    action: "suspended",
    refusal: "It is suspended already.",
    before: { suspended: false },
    mark: async (tx, at) => (await markSuspended(tx, input.id, at)) && { suspended: true },
    data: { reason },
  });
}

/**
 * Sets an organisation going again; what was held back is fetched within a minute or two. Throws `not_found`, and `conflict` also
 * while it is to be deleted.
 */
export async function resumeOrganisation(
  ctx: OperatorCtx,
  input: { id: string },
): Promise<OrganisationState> {
  return turn(ctx, input.id, {
    action: "resumed",
    refusal: "It is not suspended, or is to be deleted: take that back first.",
    before: { suspended: true },
    mark: async (tx, at) =>
      !(await hasDeletion(tx, input.id)) && (await markResumed(tx, input.id, at)) && { suspended: false },
    data: {},
  });
}

/**
 * Has an organisation deleted in seven days: it is suspended at once, and until then this can be taken back. Then the worker
 * removes all that it owns. Throws `not_found`, `invalid_request` for another short name, and `conflict` when it is asked already.
 */
export async function deleteOrganisation(
  ctx: OperatorCtx,
  input: z.output<typeof deleteOrganisationSchema>,
): Promise<OrganisationState> {
  const { slug } = await required(ctx, input.id);
  if (input.slug !== slug) {
    throw new DomainError("invalid_request", "That is not its short name.", {
      errors: [{ pointer: "/slug", code: "mismatch", detail: `Type ${slug}` }],
    });
  }
  return turn(ctx, input.id, {
    action: "deletion_requested",
    refusal: "It is to be deleted already.",
    before: { deletedOn: null },
    mark: async (tx, at) => {
      await markSuspended(tx, input.id, at);
      const deletedOn = await insertDeletion(tx, { id: input.id, slug });
      return deletedOn !== undefined && { deletedOn };
    },
    data: { reason: input.reason },
  });
}

/** Takes a deletion back; it stays suspended. Throws `not_found`, and `conflict` when there is none or it has begun. */
export async function keepOrganisation(ctx: OperatorCtx, input: { id: string }): Promise<OrganisationState> {
  return turn(ctx, input.id, {
    action: "deletion_taken_back",
    refusal: "It is not to be deleted, or that has begun.",
    before: {},
    mark: async (tx, at) => (await takeBackDeletion(tx, input.id, at)) && { deletedOn: null },
    data: {},
  });
}

async function turn(
  ctx: OperatorCtx,
  tenantId: string,
  to: {
    action: string;
    refusal: string;
    before: object;
    /** Makes the change and says what is the case then; false: it cannot be made. */
    mark: (tx: Tx, at: Date) => Promise<object | false>;
    data: Record<string, unknown>;
  },
): Promise<OrganisationState> {
  const { slug } = await required(ctx, tenantId);
  const within = operatorIn(ctx, tenantId);
  await inTenant(within, async (tx) => {
    const after = await to.mark(tx, ctx.now());
    if (after === false) throw new DomainError("conflict", to.refusal);
    await recordAudit(within, tx, {
      action: `tenant.${to.action}`,
      targetType: "tenant",
      targetId: tenantId,
      before: to.before,
      after,
      data: to.data,
    });
    await recordChange(ctx, tx, {
      action: `organisation.${to.action}`,
      organisation: { id: tenantId, slug },
      data: to.data,
    });
  });
  forgetSuspended();
  return present(await required(ctx, tenantId));
}

/**
 * Sets what the operator charges an organisation a message, as `npm run fees` does. Throws `not_found`, and `revision_conflict` when
 * somebody has changed the fees since they were read.
 */
export async function setFees(
  ctx: OperatorCtx,
  input: z.output<typeof setFeesSchema>,
): Promise<{ fees: PlatformFees }> {
  const { id, revision, fees: changes } = input;
  const { slug } = await required(ctx, id);
  const fees = await setPlatformFees(ctx.console, slug, changes, {
    requestId: ctx.requestId,
    ...(revision === undefined ? {} : { revision }),
    also: (tx, data) =>
      recordChange(ctx, tx, {
        action: "organisation.fees_changed",
        organisation: { id, slug },
        data,
      }),
  });
  return { fees };
}

/** Sets what an organisation may do at most, as `npm run quotas` does. Throws `not_found`. */
export async function setOrganisationQuota(
  ctx: OperatorCtx,
  input: z.output<typeof setQuotaSchema>,
): Promise<{ quota: Quota }> {
  const { id, ...changes } = input;
  const { slug } = await required(ctx, id);
  const quota = await setQuota(ctx.console, slug, changes, {
    requestId: ctx.requestId,
    also: (tx, data) =>
      recordChange(ctx, tx, {
        action: "organisation.quota_changed",
        organisation: { id, slug },
        data,
      }),
  });
  return { quota };
}
