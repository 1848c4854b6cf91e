import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { fetchProviderApproval } from "./fetch-provider-approval.ts";
import { requireTemplate } from "./present-template.ts";
import type { WhatsappApproval } from "./schemas.ts";
import { requireApproval } from "./whatsapp-approvals.ts";

/** Milliseconds between two requests about the same template. */
const pauseMs = 5_000;

export interface ApprovalCheck {
  approval: WhatsappApproval;
  /** The connection that was used; null when none of those that carry the template's messages reports approvals. */
  connection: string | null;
  /** Why nothing new is known; null when the provider answered. */
  problem: string | null;
}

/**
 * Asks the provider now about the approval of a WhatsApp template, through the connection that would carry the
 * template's messages; its answer replaces what somebody set by hand. Needs templates:write. Throws `rate_limited` when
 * it was asked a moment ago.
 */
export async function checkWhatsappApproval(
  ctx: Ctx,
  input: { templateId: string; templateName: string; language: string },
  deps: { http: OutboundClient },
): Promise<ApprovalCheck> {
  const row = await requireTemplate(ctx, "templates:write", input.templateId);
  const reference = { templateId: row.id, templateName: input.templateName, language: input.language };
  const known = await requireApproval(ctx, reference);
  if (known.checkedAt !== null && ctx.now().getTime() - Date.parse(known.checkedAt) < pauseMs) {
    throw new DomainError(
      "rate_limited",
      "The provider was asked a moment ago. Try again in a few seconds.",
      {
        retryAfter: pauseMs / 1_000,
      },
    );
  }
  const asked = await fetchProviderApproval(ctx, row, reference, known.status, deps);
  return { approval: await requireApproval(ctx, reference), ...asked };
}
