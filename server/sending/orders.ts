import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { SendOrder } from "./plan-request.ts";
import type { NotificationCreate, SendRequest } from "./schemas.ts";

/** The body of POST /api/app/notifications/send as an order. */
export function orderOfSend(environmentId: string, body: SendRequest): SendOrder {
  return {
    environmentId,
    application: body.application,
    notification: { type: body.notificationType, subtype: body.notificationSubtype },
    region: body.region,
    language: body.language,
    recipients: body.recipients,
    contactGroups: body.contactGroups,
    templateVariables: body.templateVariables,
    scheduledAt: body.scheduledAt,
    expiresAt: body.expiresAt,
    metadata: body.metadata,
  };
}

/**
 * The body of POST /v1/notifications as an order. The application is the key's; a key for several must name one.
 */
export async function orderOfCreate(
  ctx: Ctx,
  environmentId: string,
  applicationId: string | null,
  body: NotificationCreate,
): Promise<SendOrder> {
  return {
    environmentId,
    application: body.application ?? (await onlyApplication(ctx, environmentId, applicationId)),
    notification: { template: body.template, channel: body.channel },
    region: body.region,
    language: body.language,
    recipients: [{ channel: body.channel, recipient: body.to }],
    templateVariables: [body.variables],
    scheduledAt: body.scheduledAt,
    expiresAt: body.expiresAt,
    metadata: body.metadata,
  };
}

async function onlyApplication(
  ctx: Ctx,
  environmentId: string,
  applicationId: string | null,
): Promise<string> {
  const catalogue = await getCatalogue(ctx);
  const usable = catalogue.applications.filter((entry) =>
    applicationId === null
      ? !entry.archived &&
        may(ctx, "notifications:send", { unitId: entry.unitId, applicationId: entry.id, environmentId })
      : entry.id === applicationId,
  );
  const only = usable.length === 1 ? usable[0] : undefined;
  if (only) return only.name;
  throw new DomainError("invalid_request", "This key serves more than one application: say which one.", {
    errors: [{ pointer: "/application", code: "required", detail: "Name the application" }],
  });
}
