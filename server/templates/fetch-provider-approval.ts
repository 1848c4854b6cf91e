import type { ApprovalStatus } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { chooseRoute } from "../routing/choose-route.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { routeOptions } from "../routing/route-options.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { TemplateRow } from "./queries.ts";
import { recordCategories } from "./record-category.ts";
import { touchApproval } from "./whatsapp-approval-queries.ts";
import { changeApproval } from "./whatsapp-approvals.ts";
import type { ApprovalReference } from "./whatsapp-approvals.ts";

/** Milliseconds that a provider has for its answer. */
const answerMs = 10_000;

/**
 * Asks the provider about an approval and stores the answer; without one only that it was asked. No transaction is open
 * during the call. The caller has authorised.
 * @param deps.unless manual: what somebody set by hand stays, also if that was during the call
 */
export async function fetchProviderApproval(
  ctx: Ctx,
  row: TemplateRow,
  reference: ApprovalReference,
  known: ApprovalStatus,
  { http, unless }: { http: OutboundClient; unless?: "manual" },
): Promise<{ connection: string | null; problem: string | null }> {
  const connections = await reportingConnections(ctx, row);
  let connection: string | null = null;
  let problem: string | null = null;
  for (const { adapter, connection: opened, id, name } of connections) {
    connection = name;
    const answer = await adapter.fetchTemplateApproval?.(
      opened,
      { template: reference.templateName, language: reference.language || null, known },
      { http, timeoutMs: answerMs },
    );
    if (answer && "status" in answer) {
      const { status, reason, category } = answer;
      await inTenant(ctx, (tx) =>
        changeApproval(ctx, tx, row.unitId, reference, {
          status,
          reason,
          source: "provider",
          connectionId: id,
          unless,
        }),
      );
      if (category) {
        const { templateId, templateName: template, language } = reference;
        const decisions = [{ template, language, category }];
        await recordCategories(ctx, { connectionId: id, templateId, decisions });
      }
      return { connection, problem: null };
    }
    problem ??= answer ? answer.problem : "The provider knows no WhatsApp template of this name.";
  }
  await inTenant(ctx, (tx) => touchApproval(tx, { tenantId: ctx.tenantId, ...reference }, ctx.now()));
  return {
    connection,
    problem:
      problem ?? "No provider connection that carries these messages can tell. Set the status by hand.",
  };
}

/** How many connections are tried for one template. */
const maxConnections = 3;

/**
 * The connections that carry a template's messages and report approvals: those of the last stage first, as that is
 * where recipients are. The sandbox's are not used: its simulator's approvals say nothing about real messages.
 */
async function reportingConnections(ctx: Ctx, row: TemplateRow): Promise<ProviderConnection[]> {
  const [catalogue, connections] = await Promise.all([getCatalogue(ctx), tenantConnections(ctx)]);
  const application = catalogue.applications.find(({ id }) => id === row.applicationId);
  const found = new Map<string, ProviderConnection>();
  for (const environmentId of application?.stages.toReversed() ?? []) {
    const route = chooseRoute(
      await environmentRules(ctx, environmentId),
      connections,
      {
        region: row.region ?? application?.defaultRegion ?? "",
        applicationId: row.applicationId,
        unitId: row.unitId,
        channel: "whatsapp",
        notificationType: row.notificationType,
        notificationSubtype: row.notificationSubtype,
      },
      routeOptions({ sandbox: false, spread: 0, tenant: catalogue.tenant }),
    );
    for (const { connectionId } of route.candidates) {
      const connection = connections.get(connectionId);
      if (connection?.adapter.fetchTemplateApproval) found.set(connectionId, connection);
    }
  }
  return [...found.values()].slice(0, maxConnections);
}
