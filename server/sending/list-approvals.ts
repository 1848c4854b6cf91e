import { keyStandings } from "../access/key-standings.ts";
import type { KeyStanding } from "../access/key-standings.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { notFound } from "../kernel/errors.ts";
import { authorize, may, visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { maskAddress, shownAddress } from "../kernel/address.ts";
import { countWaiting, selectApproval, selectApprovals } from "./approval-queries.ts";
import type { ApprovalRow } from "./approval-queries.ts";
import { explainStored } from "./explain-send.ts";
import { selectOfRequest } from "./notification-queries.ts";
import { mayReveal } from "./present-notification.ts";
import type { Approval, ApprovalDetails, ApprovalListInput } from "./schemas.ts";

/** Counted no further: nobody reads the difference. */
const countedAtMost = 100;
/** Recipients of a request that are listed, and texts that are rendered, at most. */
const shown = { recipients: 50, previews: 3 };

/** What agents sent to production and waits for a person, or waited, newest first; what the caller may read. */
export async function listApprovals(
  ctx: Ctx,
  input: ApprovalListInput,
): Promise<{ data: Approval[]; nextCursor: string | null }> {
  const { decided, cursor, limit, ...filter } = input;
  const rows = await selectApprovals(ctx, visibleScopes(ctx, "notifications:read"), {
    ...filter,
    waiting: !decided,
    before: decodeCursor(cursor),
    limit: limit + 1,
  });
  const present = await presenter(ctx, rows);
  return toPage(rows, limit, present);
}

/** How many requests wait that the caller may decide on, up to a hundred. */
export async function countApprovals(ctx: Ctx): Promise<{ waiting: number }> {
  return { waiting: await countWaiting(ctx, visibleScopes(ctx, "notifications:send"), countedAtMost) };
}

/** One request with its recipients and what they would read. Throws `not_found`. */
export async function getApproval(ctx: Ctx, input: { id: string }): Promise<ApprovalDetails> {
  const row = await requireApproval(ctx, input.id, "notifications:read");
  const [present, messages] = await Promise.all([
    presenter(ctx, [row]),
    selectOfRequest(ctx, row.id, shown.recipients),
  ]);
  const revealed = messages.every((message) => mayReveal(ctx, message));
  // One of each channel: the others differ in their recipient's variables.
  const examples = [...new Map(messages.toReversed().map((each) => [each.channel, each])).values()]
    .toReversed()
    .slice(0, shown.previews);
  const previews = revealed
    ? await Promise.all(
        examples.map(async (example) => ({
          notificationId: example.id,
          channel: example.channel,
          preview: (await explainStored(ctx, example)).preview,
        })),
      )
    : [];
  return {
    ...present(row),
    revealed,
    previews,
    recipients: messages.map((message) => ({
      notificationId: message.id,
      channel: message.channel,
      to: mayReveal(ctx, message) ? shownAddress(message.recipient) : maskAddress(message.recipient),
      status: message.status,
      simulated: message.simulated,
      reason:
        message.reasonCode === null ? null : { code: message.reasonCode, detail: message.reasonDetail ?? "" },
    })),
  };
}

/** A request that the caller may do this with. Throws `not_found`, also for another tenant's or team's. */
export async function requireApproval(
  ctx: Ctx,
  id: string,
  permission: "notifications:read" | "notifications:send",
): Promise<ApprovalRow> {
  const row = await selectApproval(ctx, id);
  if (!row) throw notFound();
  authorize(ctx, permission, placeOf(row));
  return row;
}

export const placeOf = (row: Pick<ApprovalRow, "unitId" | "applicationId" | "environmentId">) => ({
  unitId: row.unitId,
  applicationId: row.applicationId,
  environmentId: row.environmentId,
});

async function presenter(ctx: Ctx, rows: readonly ApprovalRow[]): Promise<(row: ApprovalRow) => Approval> {
  const [catalogue, keys] = await Promise.all([
    getCatalogue(ctx),
    keyStandings(
      ctx,
      rows.map(({ apiKeyId }) => apiKeyId),
    ),
  ]);
  return (row) => presentApproval(ctx, catalogue, row, keys.get(row.apiKeyId));
}

function presentApproval(
  ctx: Ctx,
  catalogue: Catalogue,
  row: ApprovalRow,
  key: KeyStanding | undefined,
): Approval {
  const mayDecide = ctx.actor.type === "user" && may(ctx, "notifications:send", placeOf(row));
  return {
    id: row.id,
    state: row.state,
    application: catalogue.applications.find(({ id }) => id === row.applicationId)?.title ?? "",
    environment: catalogue.environments.find(({ id }) => id === row.environmentId)?.name ?? "",
    key: { id: row.apiKeyId, name: row.apiKeyName, owner: key?.owner ?? null, ended: key?.ended ?? true },
    notificationType: row.notificationType,
    notificationSubtype: row.notificationSubtype,
    template: row.templateName,
    transactionId: row.transactionId,
    channel: row.channel,
    to: mayReveal(ctx, row) ? shownAddress(row.recipient) : maskAddress(row.recipient),
    messages: row.messages,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedBy: row.decidedByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
    mayRefuse: mayDecide,
    // Nobody approves what they cannot read.
    mayApprove: mayDecide && may(ctx, "content:reveal", placeOf(row)),
  };
}
