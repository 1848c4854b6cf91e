import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { acrossEnvironments, may } from "../operations/authorize.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { selectRulesUsing } from "./queries.ts";
import type { UsingRuleRow } from "./queries.ts";
import type { UsingRule } from "./schemas.ts";

/**
 * The routing rules that name a connection. Those for applications of teams that the caller cannot see are only
 * counted.
 */
export async function usingRules(
  ctx: Ctx,
  tx: Tx,
  catalogue: Catalogue,
  connectionId: string,
): Promise<{ rules: UsingRule[]; hiddenRules: number }> {
  const rows = await selectRulesUsing(tx, ctx.tenantId, connectionId);
  const connections = await tx.providerConnection.findMany({
    where: { tenantId: ctx.tenantId, enabled: true },
    select: { id: true },
  });
  const inService = new Set(connections.map(({ id }) => id));
  inService.delete(connectionId);
  const visible = rows.filter((row) => sees(ctx, catalogue, row.applicationId));
  return {
    rules: visible.map((row) => present(row, catalogue, connectionId, inService)),
    hiddenRules: rows.length - visible.length,
  };
}

function sees(ctx: Ctx, catalogue: Catalogue, applicationId: string | null): boolean {
  if (applicationId === null) return true;
  const unitId = catalogue.applications.find(({ id }) => id === applicationId)?.unitId ?? null;
  return may(acrossEnvironments(ctx), "providers:read", { unitId, applicationId });
}

const channelNames: Record<string, string> = { sms: "SMS", email: "e-mail", whatsapp: "WhatsApp" };

function present(
  row: UsingRuleRow,
  catalogue: Catalogue,
  connectionId: string,
  inService: ReadonlySet<string>,
): UsingRule {
  const others = row.tiers.flat().some((member) => inService.has(member.connectionId));
  return {
    id: row.id,
    name:
      row.name === ""
        ? row.channel === null
          ? "Everything"
          : `All ${channelNames[row.channel] ?? row.channel}`
        : row.name,
    environment: catalogue.environments.find(({ id }) => id === row.environmentId)?.slug ?? "",
    enabled: row.enabled,
    tier: row.tiers.findIndex((tier) => tier.some((member) => member.connectionId === connectionId)) + 1,
    unroutable: row.enabled && !others,
  };
}
