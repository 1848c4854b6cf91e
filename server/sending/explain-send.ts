import { tenantHealth } from "../connections/connection-state.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { maySendAs, notAllowed } from "../connections/sender-ownership.ts";
import { explainHolds } from "../deliverability/holds.ts";
import { whatsappCategoryOf } from "../costs/estimate-cost.ts";
import { shownAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Route } from "../routing/choose-route.ts";
import { explainLimits } from "../recipient-limits/explain-limits.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { explainRoute } from "../routing/present-rules.ts";
import type { ExplainedRoute } from "../routing/schemas.ts";
import type { RenderedMessage } from "../template-language/render.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { linkPreviews, storedLinks } from "./link-previews.ts";
import { selectStanding } from "./notification-queries.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { planRequest } from "./plan-request.ts";
import type { PlannedMessage, PlannedRequest, SendOrder } from "./plan-request.ts";
import { refusal } from "./refusal.ts";
import { priceMessage } from "./price-message.ts";
import { renderText, segmentsOf, withConfirmationLink } from "./render-message.ts";
import type { Renderable } from "./render-message.ts";
import { routeMessage, spreadOf } from "./route-message.ts";
import type { Explanation } from "./schemas.ts";

type ExplainedMessage = Explanation["messages"][number];

/** Explanations are read by people: this many messages are enough to understand a request. */
const maxExplained = 20;

/**
 * Says what a send would do, and why: template, route with every candidate, consent, suppression, segments and estimated
 * cost. Sends nothing. Uses the same code as acceptSend and the worker, so that it cannot differ from them.
 */
export async function explainSend(ctx: Ctx, order: SendOrder): Promise<Explanation> {
  const plan = await planRequest(ctx, order);
  const sandbox = plan.environment.kind === "sandbox";
  const planned = plan.messages.slice(0, maxExplained);
  const [standing, rules, connections, catalogue, health] = await Promise.all([
    selectStanding(
      ctx,
      sandbox,
      plan.region,
      planned.map((message) => ({
        channel: message.channel,
        address: message.recipient,
        class: message.consentClass,
      })),
    ),
    environmentRules(ctx, plan.environment.id),
    tenantConnections(ctx),
    getCatalogue(ctx),
    tenantHealth(ctx),
  ]);
  const holds = await explainMailHolds(ctx, plan, planned);
  const shorten = await linkPreviews(ctx, plan.environment.id);
  const place = { catalogue, environment: plan.environment, rules };
  const routed = planned.map((message) => {
    const route = routeMessage(rules, connections, {
      facts: {
        region: plan.region,
        applicationId: plan.application.id,
        unitId: plan.application.unitId,
        channel: message.channel,
        notificationType: plan.type,
        notificationSubtype: plan.subtype,
      },
      sandbox,
      spread: 0,
      tenant: catalogue.tenant,
    });
    const explained = explainRoute(ctx, route, place, health, 0);
    const first = connections.get(explained.candidates[0]?.connectionId ?? "");
    return { message, route, explained, first };
  });
  const limits = await explainLimits(
    ctx,
    routed.map(({ message: { channel, recipient, consentClass }, first }) => ({
      // What goes to a simulator counts apart.
      sandbox: sandbox || first?.adapter.name === "simulator",
      class: plan.class === "authentication" ? plan.class : consentClass,
      channel,
      region: plan.region,
      recipient,
    })),
  );
  const messages: ExplainedMessage[] = [];
  for (const [index, { message, route, explained, first }] of routed.entries()) {
    const { suppressed = false, consent = null } = standing[index] ?? {};
    const renderable: Renderable = {
      channel: message.channel,
      recipient: message.recipient,
      region: plan.region,
      language: plan.language,
      variables: { ...plan.variables, ...message.variables },
      templateId: message.template?.id ?? null,
      templateVersion: message.template?.version ?? null,
    };
    const rendered = await renderText(ctx, renderable, shorten);
    const counted = rendered.ok ? segmentsOf(rendered.rendered) : { segments: null, encoding: null };
    const estimate =
      first && !sandbox && rendered.ok
        ? (
            await priceMessage(ctx, first, {
              channel: message.channel,
              recipient: message.recipient,
              sandbox,
              category:
                whatsappCategoryOf(plan.choices.get(message.channel)?.chosen?.category ?? "") ??
                rendered.rendered.category,
              segments: counted.segments,
              at: ctx.now(),
            })
          )?.estimate
        : undefined;
    const refused =
      message.reason ??
      refusal({
        ...{ policy: message.policy, suppressed, consent },
        ...{ channel: message.channel, class: message.consentClass },
      });
    const failure = rendered.ok
      ? (noRoute(route) ?? foreignSender(route, connections, plan.application.unitId, rendered.rendered))
      : rendered.failure;
    messages.push({
      channel: message.channel,
      recipient: shownAddress(message.recipient),
      outcome: refused ? "would_reject" : failure ? "would_fail" : "would_send",
      reason: refused ?? failure,
      template: message.template
        ? {
            id: message.template.id,
            name: message.template.name,
            version: message.template.version,
            region: message.template.region,
            language: message.template.language,
            provider: message.template.provider,
          }
        : null,
      otherTemplates:
        plan.choices
          .get(message.channel)
          ?.others.map(({ template, why }) => ({ name: template.name, version: template.version, why })) ??
        [],
      route: explained,
      consent: { class: message.consentClass, policy: message.policy, state: consent },
      suppressed,
      limits: { ...(limits[index] ?? { waits: null, caps: [] }), ...holds[index] },
      segments: counted.segments,
      encoding: counted.encoding,
      estimatedCost: estimate ? { amount: estimate.amount, currency: estimate.currency } : null,
      preview: rendered.ok ? previewOf(rendered.rendered) : null,
    });
  }
  return {
    application: plan.application.name,
    environment: plan.environment.slug,
    class: plan.class,
    needsApproval: plan.hold !== null,
    messages,
  };
}

/** Why marketing mails would wait because their mailboxes are held; stronger than quiet hours, which end by themselves. */
async function explainMailHolds(
  ctx: Ctx,
  { environment }: Pick<PlannedRequest, "environment">,
  planned: readonly PlannedMessage[],
): Promise<(Pick<ExplainedMessage["limits"], "waits"> | undefined)[]> {
  const isHeld = ({ channel, consentClass }: PlannedMessage) =>
    environment.kind !== "sandbox" && channel === "email" && consentClass === "marketing";
  const asked = planned.filter(isHeld);
  const found = await explainHolds(
    ctx,
    asked.map(({ recipient }) => recipient),
  );
  return planned.map((message) => {
    const held = isHeld(message) ? found[asked.indexOf(message)] : null;
    return held ? { waits: { code: "mail_hold", until: null, detail: held.detail } } : undefined;
  });
}

/** The route and the text of a stored notification, as they would be now; the route with the message's own spread. */
export async function explainStored(
  ctx: Ctx,
  row: NotificationRow,
): Promise<{ route: ExplainedRoute; preview: ExplainedMessage["preview"]; encoding: string | null }> {
  const [rules, connections, catalogue, health, rendered] = await Promise.all([
    environmentRules(ctx, row.environmentId),
    tenantConnections(ctx),
    getCatalogue(ctx),
    tenantHealth(ctx),
    storedLinks(ctx, row).then((shorten) =>
      // In the sandbox nobody else gets the message.
      renderText(ctx, row.sandbox ? withConfirmationLink(ctx.tenantId, row) : row, shorten),
    ),
  ]);
  const spread = spreadOf(row.id);
  const route = routeMessage(rules, connections, {
    facts: row,
    sandbox: row.sandbox,
    spread,
    tenant: catalogue.tenant,
  });
  const place = { catalogue, environment: { id: row.environmentId }, rules };
  return {
    route: explainRoute(ctx, route, place, health, spread),
    preview: rendered.ok ? previewOf(rendered.rendered) : null,
    encoding: rendered.ok ? segmentsOf(rendered.rendered).encoding : null,
  };
}

function previewOf(message: RenderedMessage): ExplainedMessage["preview"] {
  return {
    from: message.senderId ?? null,
    fromName: message.senderName ?? null,
    replyTo: message.replyTo ?? null,
    subject: message.subject ?? null,
    text: message.text,
    html: message.html ?? null,
    attachments: message.attachments ?? [],
    header: message.header ?? null,
    footer: message.footer ?? null,
    buttons: message.buttons ?? [],
  };
}

/** The failure of a message whose template names a sender that none of the connections may use for the unit. */
function foreignSender(
  route: Route,
  connections: ReadonlyMap<string, ProviderConnection>,
  unitId: string,
  { channel, senderId }: RenderedMessage,
): ExplainedMessage["reason"] {
  const candidates = route.candidates.flatMap(({ connectionId }) => connections.get(connectionId) ?? []);
  const [first] = candidates;
  if (senderId === undefined || !first) return null;
  if (candidates.some((connection) => maySendAs(connection, { channel, unitId }, senderId))) return null;
  return { code: "sender_not_allowed", detail: notAllowed(senderId, first.name) };
}

function noRoute(route: Route): ExplainedMessage["reason"] {
  return route.candidates.length > 0
    ? null
    : { code: "no_route", detail: "No active connection supports this channel here." };
}
