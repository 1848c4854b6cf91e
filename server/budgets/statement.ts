import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { Decimal } from "decimal.js";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { startOfMonth } from "./months.ts";
import { selectOwnCurrency, selectRates, selectStatement } from "./queries.ts";
import type { StatementRow } from "./queries.ts";
import { budgetLimits } from "./vocabulary.ts";
import type { Statement, StatementSums } from "./schemas.ts";

const noConnection = "00000000-0000-0000-0000-000000000000";

/**
 * What a month (UTC) has cost, by application, provider, channel and country: of all environments, per currency, and in the
 * organisation's own by its rates. Throws `invalid_request` for a month to come.
 */
export async function getStatement(ctx: Ctx, { month }: { month: string }): Promise<Statement> {
  const scopes = visibleScopes(ctx, "costs:read");
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = startOfMonth(from, 1);
  const now = ctx.now();
  if (from > now) {
    const detail = "A month that has begun";
    throw new DomainError("invalid_request", "That month has not begun.", {
      errors: [{ pointer: "/month", code: "invalid_period", detail }],
    });
  }
  const [catalogue, connections, own, rows] = await Promise.all([
    getCatalogue(ctx),
    tenantConnections(ctx),
    selectOwnCurrency(ctx),
    selectStatement(ctx, scopes, { from, to, limit: budgetLimits.lines }),
  ]);
  const bySize = (a: StatementSums, b: StatementSums) => Number(b.total) - Number(a.total);
  const totals = rows.filter(({ part }) => part === "total").map(sumsOf);
  totals.sort((a, b) => bySize(a, b) || a.currency.localeCompare(b.currency));
  const currencies = totals.map(({ currency }) => currency);
  const lines = rows
    .filter(({ part }) => part === "line")
    .map((row) => ({
      ...sumsOf(row),
      application:
        catalogue.applications.find(({ id }) => id === row.applicationId)?.title ?? "Removed application",
      provider:
        row.connectionId === noConnection
          ? "Platform fee"
          : (connections.get(row.connectionId)?.name ?? "Removed connection"),
      channel: row.channel,
      country: row.country,
    }));
  const byName = (line: (typeof lines)[number]) =>
    [line.application, line.provider, line.channel, line.country, line.currency].join("\0");
  lines.sort((a, b) => byName(a).localeCompare(byName(b)));
  const rest = rows.filter(({ part }) => part === "rest");
  const known = totals.flatMap((each) => (each.own === null ? [] : [each.own]));
  return {
    month,
    organisation: catalogue.tenant.name,
    partial: scopes !== null,
    asOf: now.toISOString(),
    closed: to <= now,
    totals,
    own:
      own === null
        ? null
        : {
            currency: own,
            total: known.length === totals.length ? Decimal.sum(0, ...known).toFixed(6) : null,
            withoutRate: totals.filter((each) => each.own === null).map(({ currency }) => currency),
          },
    rates:
      own === null
        ? []
        : await selectRates(
            ctx,
            currencies.filter((each) => each !== own),
            { from, to },
          ),
    lines: [
      ...lines,
      ...rest.map((row) => ({
        ...sumsOf(row),
        ...{ application: "All others", provider: "", channel: "", country: "" },
      })),
    ],
    foldedLines: rest.reduce((sum, { folded }) => sum + folded, 0),
  };
}

function sumsOf({ currency, messages, segments, own, ...row }: StatementRow): StatementSums {
  const { reported, estimated, platformFees, total } = row;
  return { currency, messages, segments, reported, estimated, platformFees, total, own };
}
