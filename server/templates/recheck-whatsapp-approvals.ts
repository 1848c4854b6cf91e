import { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { defineTask } from "../kernel/tasks.ts";
import { fetchProviderApproval } from "./fetch-provider-approval.ts";
import { selectTemplate } from "./queries.ts";
import { takeDueApprovals } from "./whatsapp-approval-queries.ts";
import { requireApproval } from "./whatsapp-approvals.ts";

/** Asks about the approvals that are due; run by the clock. */
export const recheckWhatsappApprovalsTask = defineTask("recheck_whatsapp_approvals", z.object({}).loose());

/** Approvals of one run, and how many at once. */
const perRun = 200;
const atOnce = 4;

/** One run: bounded; failures are logged and tried again when they are due the next time. */
export async function recheckWhatsappApprovals(deps: {
  db: Db;
  http: OutboundClient;
  log: Logger;
  now?: () => Date;
}): Promise<number> {
  const now = deps.now ?? (() => new Date());
  const due = await takeDueApprovals(deps.db, now(), perRun);
  const left = [...due];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { tenantId, templateId, templateName, language } = next;
      const ctx = { ...systemCtx(deps.db, tenantId, "WhatsApp approvals"), now };
      const reference = { templateId, templateName, language };
      try {
        const row = await selectTemplate(ctx, templateId);
        const { status } = await requireApproval(ctx, reference);
        if (row) await fetchProviderApproval(ctx, row, reference, status, deps.http);
      } catch (error) {
        deps.log.error({ err: error, tenantId, templateId }, "a WhatsApp approval was not checked");
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return due.length;
}
