/**
 * How far a Content template is in WhatsApp's approval.
 * Source: https://www.twilio.com/docs/content/content-api-resources
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { ApprovalStatus, TemplateApproval } from "../adapter.ts";
import { jsonObject, providerText } from "../provider-text.ts";

/** Twilio's word → ours; `received` means that Twilio has not passed it to WhatsApp yet. */
const statuses: Record<string, ApprovalStatus> = {
  unsubmitted: "unsubmitted",
  received: "pending",
  pending: "pending",
  approved: "approved",
  rejected: "rejected",
  paused: "paused",
  disabled: "paused",
};

/** @param get asks Twilio's Content API for a path */
export async function fetchTwilioApproval(
  template: string,
  get: (path: string) => Promise<OutboundResponse>,
): Promise<TemplateApproval | null> {
  // Only content has an approval that can be asked for; other names belong to other providers.
  if (!/^HX[0-9a-fA-F]{32}$/.test(template)) return null;
  let answer: OutboundResponse;
  try {
    answer = await get(`/v1/Content/${template}/ApprovalRequests`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { problem: error.message };
  }
  if (answer.status === 404) return null;
  if (answer.status === 401 || answer.status === 403) {
    return { problem: "Twilio does not accept this account SID and auth token" };
  }
  const body = answer.status === 200 ? jsonObject(answer.body) : null;
  if (!body) return { problem: `Twilio answered with status ${answer.status}` };
  // Content that was never handed in has no such part.
  const whatsapp = (body.whatsapp ?? {}) as Record<string, unknown>;
  const said = typeof whatsapp.status === "string" ? whatsapp.status.toLowerCase() : "unsubmitted";
  const status = Object.hasOwn(statuses, said) ? statuses[said] : undefined;
  if (!status) return { problem: "Twilio gave a status that is not known" };
  const reason = typeof whatsapp.rejection_reason === "string" ? providerText(whatsapp.rejection_reason) : "";
  if (reason !== "") return { status, reason };
  return { status, reason: said === "disabled" ? "WhatsApp has disabled the template." : null };
}
