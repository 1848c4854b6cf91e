import { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { defineTask } from "../kernel/tasks.ts";
import { fetchProviderApproval } from "./fetch-provider-approval.ts";
import { selectTemplate } from "./queries.ts";
import { takeDueApprovals } from "./whatsapp-approval-queries.ts";
import type { DueApproval } from "./whatsapp-approval-queries.ts";
import { requireApproval } from "./whatsapp-approvals.ts";

/** Asks about the approvals that are due; run by the clock. */
export const recheckWhatsappApprovalsTask = defineTask("recheck_whatsapp_approvals", z.object({}).loose());

/** Approvals of one run, how many it claims together, and how many it asks about at once. */
const perRun = 200;
const perClaim = 8;
const atOnce = 4;
/** After so long, ms, a run claims no more: providers that do not answer must not keep it from ending before the next one. */
const claimMs = 60_000;

/** One run: bounded; failures are logged and tried again when they are due the next time. */
export async function recheckWhatsappApprovals(deps: {
  db: Db;
  http: OutboundClient;
  log: Logger;
  now?: () => Date;
  claimMs?: number;
}): Promise<number> {
  const now = deps.now ?? (() => new Date());
  const until = performance.now() + (deps.claimMs ?? claimMs);
  let claimed = 0;
  for (let more = true; more;) {
    const due = await takeDueApprovals(deps.db, now(), perClaim);
    const left = [...due];
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) await recheck({ ...deps, now }, next);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    claimed += due.length;
    more = due.length === perClaim && claimed < perRun && performance.now() < until;
  }
  return claimed;
}

async function recheck(
  deps: { db: Db; http: OutboundClient; log: Logger; now: () => Date },
  { tenantId, ...reference }: DueApproval,
): Promise<void> {
  const { templateId } = reference;
  const ctx = { ...systemCtx(deps.db, tenantId, "WhatsApp approvals"), now: deps.now };
  try {
    const row = await selectTemplate(ctx, templateId);
    const { status } = await requireApproval(ctx, reference);
    if (row) await fetchProviderApproval(ctx, row, reference, status, { http: deps.http, unless: "manual" });
  } catch (error) {
    deps.log.error({ err: error, tenantId, templateId }, "a WhatsApp approval was not checked");
  }
}
