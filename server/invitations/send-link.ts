import { tenantConnections } from "../connections/load-connection.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { acceptSend } from "../sending/accept-send.ts";
import { routeMessage } from "../sending/route-message.ts";
import type { BuiltInTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { mailBrand } from "../workspace/mail-brand.ts";

/**
 * What became of a link: a message of ours, or nothing, so that whoever made it passes it on. `failed`: for a reason that passes, so
 * that a later try may succeed.
 */
export type LinkDelivery =
  | { by: "email"; connection: string; notificationId: string }
  | { by: "nobody"; why: "no_email" | "refused" | "failed"; detail: string };

/** Applications that are asked for their way out, at most. */
const maxAsked = 50;

/** A link that opens an account, with the text of the product's own around it. */
export interface LinkMessage {
  template: BuiltInTemplate;
  /** Decides lane, consent and what stays of it; without one it is a message that opens an account. */
  class?: "authentication" | "transactional";
  email: string;
  /** Sent through the e-mail of this unit alone; null: of any. */
  unitId: string | null;
  variables: Record<string, string>;
  /** Until when the message may be under way. */
  expiresAt: Date;
  /** Names the message: the same name within a day sends it once. */
  once?: string;
}

/** A time in the text of a message. */
export const readableTime = (time: Date): string =>
  `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/**
 * Sends a link through the organisation's own e-mail in production, as an ordinary message: routed, limited, priced and followed
 * like the others, with a text of the product's own. Its variables go when it has ended, as those of a one-time code do. Never
 * throws: that nothing could be sent is an answer.
 */
export async function sendLink(ctx: Ctx, message: LinkMessage): Promise<LinkDelivery> {
  const { template, email, unitId, variables, expiresAt, once } = message;
  const kind = message.class ?? "authentication";
  try {
    const catalogue = await getCatalogue(ctx);
    const way = await findWay(ctx, catalogue, template, unitId);
    if (!way) {
      const whose = unitId === null ? "The organisation" : "The team";
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
      // Who asks for it need not be able to send; this is all that is sent so.
      { ...ctx, grants: [{ ...place, permissions: new Set(["notifications:send"]) }] },
      {
        order: {
          environmentId: environment.id,
          application: application.name,
          notification: { pinned: template.template, class: kind },
          recipients: [{ channel: "email", recipient: email }],
          templateVariables: [{ ...variables, ...mailBrand(await readBranding(ctx)) }],
          expiresAt: expiresAt.toISOString(),
        },
        source: "portal",
        transactionId: null,
        idempotency: once === undefined ? null : { kind: "idempotency", key: once, bodyHash: jsonHash(once) },
      },
    );
    const [sent] = notifications;
    if (!sent || sent.status === "rejected") {
      const detail = sent?.reason?.detail ?? "The message was refused.";
      return { by: "nobody", why: "refused", detail };
    }
    return { by: "email", connection, notificationId: sent.notificationId };
  } catch (error) {
    ctx.log.warn({ err: error, tenantId: ctx.tenantId }, "a message to a member was not sent");
    const detail =
      error instanceof DomainError ? error.message : "The service could not send it at this moment.";
    return { by: "nobody", why: passes(error) ? "failed" : "refused", detail };
  }
}

/** Limits and overload pass, and so do faults of ours or of the database. */
const passes = (error: unknown) =>
  !(error instanceof DomainError) ||
  error.status === 429 ||
  error.status >= 500 ||
  error.code === "request_in_progress";

interface Way {
  application: Catalogue["applications"][number];
  environment: Catalogue["environments"][number];
  connection: string;
}

/** An application whose e-mail leaves in production, of the unit if one is named. The simulator sends nothing. */
async function findWay(
  ctx: Ctx,
  catalogue: Catalogue,
  { template }: BuiltInTemplate,
  unitId: string | null,
): Promise<Way | undefined> {
  const production = catalogue.environments.filter(({ kind }) => kind === "production");
  const applications = catalogue.applications.filter((each) => unitId === null || each.unitId === unitId);
  const connections = await tenantConnections(ctx);
  for (const environment of production) {
    const rules = await environmentRules(ctx, environment.id);
    for (const application of applications.slice(0, maxAsked)) {
      if (!application.stages.includes(environment.id)) continue;
      const { notificationType, notificationSubtype } = template;
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
