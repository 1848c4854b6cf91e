import type { NewInvitation } from "../access/create-invitation.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { acceptSend } from "../sending/accept-send.ts";
import { routeMessage } from "../sending/route-message.ts";
import { invitationTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";

/** What became of a link: a message of ours, or nothing, so that whoever made it passes it on. */
export type LinkDelivery =
  | { by: "email"; connection: string; notificationId: string }
  | { by: "nobody"; why: "no_email" | "refused"; detail: string };

/** How long the message may be under way, ms: longer than any outage should be, shorter than the link works. */
const patience = 24 * 3_600_000;
/** Applications that are asked for their way out, at most. */
const maxAsked = 50;

/**
 * Sends an invitation's link through the organisation's own e-mail in production, as an ordinary message: routed, limited,
 * priced and followed like the others, with a text of the product's own. Its variables go when it has ended, as those of a
 * one-time code do. Never throws: the invitation stands, and its link can be passed on by hand.
 */
export async function sendLink(ctx: Ctx, invitation: NewInvitation, link: string): Promise<LinkDelivery> {
  try {
    const catalogue = await getCatalogue(ctx);
    const way = await findWay(ctx, catalogue, invitation.unitId);
    if (!way) {
      const whose = invitation.unitId === null ? "The organisation" : "The team";
      return {
        by: "nobody",
        why: "no_email",
        detail: `${whose} has no e-mail connection that production messages go through.`,
      };
    }
    const { application, environment, connection } = way;
    const place = {
      unitId: application.unitId,
      applicationId: application.id,
      environmentId: environment.id,
    };
    const { notifications } = await acceptSend(
      // Whoever manages members need not be able to send; this is all that they send so.
      { ...ctx, grants: [{ ...place, permissions: new Set(["notifications:send"]) }] },
      {
        order: {
          environmentId: environment.id,
          application: application.name,
          notification: { pinned: invitationTemplate.template, class: "authentication" },
          recipients: [{ channel: "email", recipient: invitation.email }],
          templateVariables: [
            {
              name: invitation.name,
              inviter: ctx.actor.name,
              organisation: catalogue.tenant.name,
              link,
              expires: `${invitation.expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`,
            },
          ],
          expiresAt: new Date(ctx.now().getTime() + patience).toISOString(),
        },
        source: "portal",
        transactionId: null,
        idempotency: null,
      },
    );
    const [message] = notifications;
    if (!message || message.status === "rejected") {
      const detail = message?.reason?.detail ?? "The message was refused.";
      return { by: "nobody", why: "refused", detail };
    }
    return { by: "email", connection, notificationId: message.notificationId };
  } catch (error) {
    ctx.log.warn({ err: error, invitationId: invitation.id }, "an invitation's link was not sent");
    const detail =
      error instanceof DomainError ? error.message : "The service could not send it at this moment.";
    return { by: "nobody", why: "refused", detail };
  }
}

interface Way {
  application: Catalogue["applications"][number];
  environment: Catalogue["environments"][number];
  connection: string;
}

/** An application whose e-mail leaves in production: of the unit if the invitation is for one alone. The simulator sends nothing. */
async function findWay(ctx: Ctx, catalogue: Catalogue, unitId: string | null): Promise<Way | undefined> {
  const production = catalogue.environments.filter(({ kind }) => kind === "production");
  const applications = catalogue.applications.filter((each) => unitId === null || each.unitId === unitId);
  const connections = await tenantConnections(ctx);
  for (const environment of production) {
    const rules = await environmentRules(ctx, environment.id);
    for (const application of applications.slice(0, maxAsked)) {
      if (!application.stages.includes(environment.id)) continue;
      const { notificationType, notificationSubtype } = invitationTemplate.template;
      const { candidates } = routeMessage(rules, connections, {
        facts: {
          region: application.defaultRegion,
          applicationId: application.id,
          unitId: application.unitId,
          channel: "email",
          notificationType,
          notificationSubtype,
        },
        sandbox: false,
        spread: 0,
        tenant: catalogue.tenant,
      });
      const first = connections.get(candidates[0]?.connectionId ?? "");
      if (first && first.adapter.name !== "simulator") {
        return { application, environment, connection: first.name };
      }
    }
  }
  return undefined;
}
