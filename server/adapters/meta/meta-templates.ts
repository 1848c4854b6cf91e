/**
 * Message templates under a WhatsApp Business Account: their approval and their wording.
 * Source: https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates/
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import { templateCategories } from "../adapter.ts";
import type { ApprovalStatus, TemplateApproval } from "../adapter.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import { templatesIn } from "../whatsapp-template.ts";
import type { TemplateWording } from "../whatsapp-template.ts";

/** Meta's words for ours; what no longer can be sent counts as paused. */
const STATUSES: Record<string, ApprovalStatus> = {
  APPROVED: "approved",
  PENDING: "pending",
  IN_APPEAL: "pending",
  REJECTED: "rejected",
  PAUSED: "paused",
  DISABLED: "paused",
  LIMIT_EXCEEDED: "paused",
  ARCHIVED: "paused",
  PENDING_DELETION: "paused",
  DELETED: "paused",
};
const MAX_TEMPLATES = 100;

/** @param get asks the Graph API for a path below the version */
export type GraphGet = (path: string) => Promise<OutboundResponse>;

export async function fetchMetaApproval(
  wabaId: string | undefined,
  template: { template: string; language: string | null },
  get: GraphGet,
): Promise<TemplateApproval | null> {
  if (wabaId === undefined) {
    return { problem: "The connection does not say which WhatsApp Business Account the template is in" };
  }
  let answer: OutboundResponse;
  try {
    answer = await get(templatesPath(wabaId, template));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { problem: error.message };
  }
  const body = jsonObject(answer.body);
  if (answer.status === 401 || answer.status === 403 || objectOf(body?.error).code === 190) {
    return { problem: "Meta does not accept the access token for this WhatsApp Business Account" };
  }
  if (answer.status !== 200 || !body) return { problem: `Meta answered with status ${answer.status}` };
  const found = findTemplate(body, template);
  if (!found) return null;
  const said = textOf(found.status, 64) ?? "";
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said] : undefined;
  if (!status) return { problem: "Meta gave a status that is not known" };
  const reason = textOf(found.rejected_reason);
  const category = templateCategories.find((one) => one === textOf(found.category, 64)?.toLowerCase());
  const decided = category ? { status, category } : { status };
  if (reason !== undefined && reason !== "NONE") return { ...decided, reason: providerText(reason) };
  const plain = status !== "paused" || said === "PAUSED";
  return { ...decided, reason: plain ? null : `WhatsApp says ${said.toLowerCase().replace("_", " ")}.` };
}

/** Null when Meta does not know the template or does not let us see it. Rejects with OutboundError without an answer. */
export async function fetchMetaWording(
  wabaId: string,
  template: { template: string; language: string | null },
  get: GraphGet,
): Promise<TemplateWording | null> {
  const body = templatesIn(await get(templatesPath(wabaId, template)));
  const found = body ? findTemplate(body, template) : undefined;
  return found ? wordingOf(found) : null;
}

function templatesPath(
  wabaId: string,
  { template, language }: { template: string; language: string | null },
) {
  const query = new URLSearchParams({
    name: template,
    ...(language === null ? {} : { language }),
    fields: "name,status,language,category,components,rejected_reason",
    limit: String(MAX_TEMPLATES),
  });
  return `/${wabaId}/message_templates?${query.toString()}`;
}

/** Meta's filter also finds longer names. */
function findTemplate(
  body: JsonObject,
  wanted: { template: string; language: string | null },
): JsonObject | undefined {
  return objectsOf(body.data, MAX_TEMPLATES).find(
    (item) =>
      item.name === wanted.template && (wanted.language === null || item.language === wanted.language),
  );
}

function wordingOf(template: JsonObject): TemplateWording {
  const components = objectsOf(template.components, 20);
  const header = components.find((component) => component.type === "HEADER" && component.format === "TEXT");
  const buttons = components.find((component) => component.type === "BUTTONS");
  return {
    headerText: textOf(header?.text) ?? null,
    buttons: objectsOf(buttons?.buttons, 20).map((button) => ({ url: textOf(button.url, 2_048) ?? null })),
    authentication: template.category === "AUTHENTICATION",
  };
}
