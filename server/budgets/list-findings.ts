import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { daysBefore, startOfDay } from "./months.ts";
import { selectAnomalies, selectPriceChanges } from "./queries.ts";
import { budgetLimits } from "./vocabulary.ts";
import type { Findings } from "./schemas.ts";

/** What counts as another price: so many segments or messages in both periods, and by what part it differs. */
const priceRule = { leastUnits: 50, leastShare: 0.05 };

/** Unusual days of the last thirty, and prices that have changed in the last week, of what the reader may see. */
export async function listFindings(ctx: Ctx): Promise<Findings> {
  const scopes = visibleScopes(ctx, "costs:read");
  const today = startOfDay(ctx.now());
  const limit = budgetLimits.findings;
  const [catalogue, connections, anomalies, prices] = await Promise.all([
    getCatalogue(ctx),
    tenantConnections(ctx),
    selectAnomalies(ctx, scopes, { since: daysBefore(today, 30), limit }),
    selectPriceChanges(ctx, scopes, { today, ...priceRule, limit }),
  ]);
  const provider = (id: string) => connections.get(id)?.name ?? "Removed connection";
  return {
    anomalies: anomalies.map(({ applicationId, environmentId, connectionId, ...row }) => {
      const application = catalogue.applications.find(({ id }) => id === applicationId);
      return {
        ...{ id: row.id, day: row.day, channel: row.channel, country: row.country },
        ...{ currency: row.currency, amount: row.amount, expected: row.expected },
        application: application?.title ?? "Removed application",
        applicationName: application?.name ?? null,
        environment: catalogue.environments.find(({ id }) => id === environmentId)?.slug ?? null,
        provider: provider(connectionId),
        connectionId,
      };
    }),
    priceChanges: prices.map((row) => ({ ...row, provider: provider(row.connectionId) })),
  };
}
