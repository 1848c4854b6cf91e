/**
 * WhatsApp templates of a sender at Infobip: their approval and their wording.
 * Source: https://www.infobip.com/docs/api/channels/whatsapp/whatsapp-service-management/get-whatsapp-templates
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { ApprovalStatus, TemplateApproval } from "../adapter.ts";
import { jsonObject, providerText } from "../provider-text.ts";
import { objectOf, objectsOf, textOf } from "../untrusted.ts";
import type { JsonObject } from "../untrusted.ts";
import { templatesIn } from "../whatsapp-template.ts";
import type { TemplateWording } from "../whatsapp-template.ts";

/** Infobip's words for ours; what no longer can be sent counts as paused. */
const STATUSES: Record<string, ApprovalStatus> = {
  APPROVED: "approved",
  REINSTATED: "approved",
  FLAGGED: "approved",
  PENDING: "pending",
  IN_REVIEW: "pending",
  IN_APPEAL: "pending",
  REJECTED: "rejected",
  PAUSED: "paused",
  FIRST_PAUSED: "paused",
  SECOND_PAUSED: "paused",
  DISABLED: "paused",
  LIMIT_EXCEEDED: "paused",
  PENDING_DELETION: "paused",
  DELETED: "paused",
};
const MAX_TEMPLATES = 10_000;

type Wanted = { template: string; language: string | null };
/** Asks for all templates of the sender; Infobip has no filter. */
type AskAll = () => Promise<OutboundResponse>;

export async function fetchInfobipApproval(
  wanted: Wanted,
  askAll: AskAll | null,
): Promise<TemplateApproval | null> {
  if (!askAll)
    return { problem: "The connection does not say which WhatsApp sender the template belongs to" };
  let answer: OutboundResponse;
  try {
    answer = await askAll();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { problem: error.message };
  }
  if (answer.status === 401 || answer.status === 403) {
    return { problem: "The API key may not see this sender's templates" };
  }
  const body = answer.status === 200 ? jsonObject(answer.body) : null;
  if (!body) return { problem: `Infobip answered with status ${answer.status}` };
  const found = findTemplate(body, wanted);
  if (!found) return null;
  const said = textOf(found.status, 64) ?? "";
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said] : undefined;
  if (!status) return { problem: "Infobip gave a status that is not known" };
  const reason = textOf(found.rejectionReason) ?? textOf(found.rejectedReason);
  if (reason !== undefined && reason !== "NONE") return { status, reason: providerText(reason) };
  const words = said.toLowerCase().replaceAll("_", " ");
  return { status, reason: status === "paused" ? `WhatsApp says ${words}.` : null };
}

/** Null when the template is not there or may not be seen. Rejects with OutboundError without an answer. */
export async function fetchInfobipWording(wanted: Wanted, askAll: AskAll): Promise<TemplateWording | null> {
  let answer: OutboundResponse;
  try {
    answer = await askAll();
  } catch (error) {
    // A sender may have more templates than we read; its messages are sent as if their wording were fixed.
    if (error instanceof OutboundError && error.code === "body_too_large") return null;
    throw error;
  }
  const body = templatesIn(answer);
  const found = body ? findTemplate(body, wanted) : undefined;
  if (!found) return null;
  const structure = objectOf(found.structure);
  const header = objectOf(structure.header);
  return {
    headerText: header.format === "TEXT" ? (textOf(header.text) ?? null) : null,
    buttons: objectsOf(structure.buttons, 20).map((button) => ({ url: textOf(button.url, 2_048) ?? null })),
    authentication: found.category === "AUTHENTICATION",
  };
}

function findTemplate(body: JsonObject, { template, language }: Wanted): JsonObject | undefined {
  return objectsOf(body.templates, MAX_TEMPLATES).find(
    (item) => item.name === template && (language === null || item.language === language),
  );
}
