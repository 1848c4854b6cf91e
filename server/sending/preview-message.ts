import { tenantConnections } from "../connections/load-connection.ts";
import type { WhatsappCategory } from "../connections/schemas.ts";
import { estimateCost, isCounted, priceRow, whatsappCategoryOf } from "../costs/estimate-cost.ts";
import { unitsBefore } from "../costs/month-units.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { notFound } from "../kernel/errors.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { getTemplate } from "../templates/get-template.ts";
import { previewTemplate } from "../templates/preview-template.ts";
import type { TemplatePreview } from "../templates/preview-template.ts";
import type { TemplatePreviewInput } from "../templates/schemas.ts";
import { requireApplication } from "../templates/template-access.ts";
import { billedByMeta } from "./price-message.ts";
import { segmentsOf } from "./render-message.ts";
import { selectTemplateCategory } from "./queries.ts";
import { routeMessage } from "./route-message.ts";

export interface MessagePreview extends TemplatePreview {
  /**
   * What one such message costs by the price list of the connection that would carry it first; null if nothing carries
   * it, no price is known, or the text is for no application.
   */
  estimatedCost: { amount: string; currency: string; connection: string } | null;
}

/**
 * A preview of a stored version or of texts that are not saved yet, with what sending it would cost: routed and priced as
 * a send would be, in the named environment or the application's first stage, to a number of the region.
 */
export async function previewMessage(ctx: Ctx, input: TemplatePreviewInput): Promise<MessagePreview> {
  const [preview, about] = await Promise.all([previewTemplate(ctx, input), audienceOf(ctx, input)]);
  return { ...preview, estimatedCost: about ? await costOf(ctx, input, preview, about) : null };
}

interface About {
  application: string;
  notificationType: string;
  notificationSubtype: string;
  region: string | null;
}

async function audienceOf(ctx: Ctx, input: TemplatePreviewInput): Promise<About | null> {
  if ("templateId" in input) return getTemplate(ctx, { id: input.templateId });
  const { application, notificationType = "", notificationSubtype = "" } = input;
  return application === undefined
    ? null
    : { application, notificationType, notificationSubtype, region: null };
}

async function costOf(
  ctx: Ctx,
  input: TemplatePreviewInput,
  preview: TemplatePreview,
  about: About,
): Promise<MessagePreview["estimatedCost"]> {
  const { message } = preview;
  const { catalogue, application } = await requireApplication(ctx, "templates:read", about.application);
  if (!message) return null;
  const environmentId = input.environmentId ?? application.stages[0];
  const environment = catalogue.environments.find(({ id }) => id === environmentId);
  if (!environment) {
    if (input.environmentId !== undefined) throw notFound();
    return null;
  }
  if (environment.kind === "sandbox") return null;
  const [rules, connections] = await Promise.all([
    environmentRules(ctx, environment.id),
    tenantConnections(ctx),
  ]);
  const region = input.region ?? about.region ?? application.defaultRegion;
  const { candidates } = routeMessage(rules, connections, {
    facts: {
      region,
      applicationId: application.id,
      unitId: application.unitId,
      channel: message.channel,
      notificationType: about.notificationType,
      notificationSubtype: about.notificationSubtype,
    },
    sandbox: false,
    spread: 0,
    tenant: catalogue.tenant,
  });
  const first = connections.get(candidates[0]?.connectionId ?? "");
  if (!first) return null;
  const to = {
    channel: message.channel,
    country: message.channel === "email" ? null : region,
    category:
      message.channel === "whatsapp" ? ((await decidedCategory(ctx, input)) ?? message.category) : undefined,
    at: ctx.now(),
    segments: segmentsOf(message).segments,
    meta: billedByMeta(first),
  };
  const row = priceRow(first.priceList, to);
  const before = row && isCounted(row, to) ? await unitsBefore(ctx, first.id, to.at) : undefined;
  const priced = estimateCost(first.priceList, to, before);
  if (!priced) return null;
  return { amount: priced.estimate.amount, currency: priced.estimate.currency, connection: first.name };
}

/** What WhatsApp has decided about the approved template that a stored version names; of unsaved texts nothing is known. */
async function decidedCategory(ctx: Ctx, input: TemplatePreviewInput): Promise<WhatsappCategory | undefined> {
  if (!("templateId" in input)) return undefined;
  const category = await selectTemplateCategory(ctx, input.templateId, input.version ?? null);
  return whatsappCategoryOf(category ?? "");
}
