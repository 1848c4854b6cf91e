import { tenantConnections } from "../connections/load-connection.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { ExportPlaces } from "../kernel/export-places.ts";
import type { RestFile } from "../operations/operation.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectDailyCosts } from "./queries.ts";
import type { DailyCost } from "./queries.ts";
import { channelNames, readFilter, readPeriod, startOf } from "./report-period.ts";
import type { ReportFilter } from "./report-period.ts";
import type { CostReportQuery } from "./schemas.ts";

/** Rows of one statement. */
const pageRows = 1_000;
const day = 86_400_000;
const places = new ExportPlaces({ organisation: 2, process: 6 });

/** FOCUS 1.2's mandatory columns in their order, some conditional ones, and our own, whose names begin with x_. */
const columns = [
  "BilledCost",
  "BillingAccountId",
  "BillingAccountName",
  "BillingCurrency",
  "BillingPeriodEnd",
  "BillingPeriodStart",
  "ChargeCategory",
  "ChargeClass",
  "ChargeDescription",
  "ChargePeriodEnd",
  "ChargePeriodStart",
  "ContractedCost",
  "EffectiveCost",
  "InvoiceIssuerName",
  "ListCost",
  "PricingQuantity",
  "PricingUnit",
  "ProviderName",
  "PublisherName",
  "ServiceCategory",
  "ServiceName",
  "ChargeFrequency",
  "ConsumedQuantity",
  "ConsumedUnit",
  "SubAccountId",
  "SubAccountName",
  "x_Environment",
  "x_Unit",
  "x_Country",
  "x_NotificationType",
  "x_NotificationSubtype",
  "x_TemplateId",
  "x_PriceSource",
] as const;
type Column = (typeof columns)[number];

/**
 * The costs of whole days as FOCUS 1.2 rows in CSV (https://focus.finops.org): one a day, provider, application and what else costs
 * are told apart by. Written while it is read, a page of the database in memory at a time; each cost is in one row, with what was
 * known of it when that was read. Throws `invalid_request` for a
 * period that does not begin and end at midnight UTC, and `rate_limited` while too many are read.
 */
export async function focusCosts(ctx: Ctx, input: CostReportQuery & ReportFilter): Promise<RestFile> {
  const scopes = visibleScopes(ctx, "costs:read");
  const period = readPeriod(
    ctx,
    { from: input.from, to: input.to ?? new Date(Math.ceil(ctx.now().getTime() / day) * day).toISOString() },
    (to) => startOf("month", new Date(to.getTime() - 1)),
  );
  for (const [pointer, at] of [
    ["/from", period.from],
    ["/to", period.to],
  ] as const) {
    if (at.getTime() % day !== 0)
      throw new DomainError("invalid_request", "FOCUS rows are of whole days (UTC).", {
        errors: [{ pointer, code: "not_midnight", detail: "Midnight UTC, as 2026-11-01T00:00:00Z" }],
      });
  }
  const filter = { ...(await readFilter(ctx, period, input)), currency: input.currency };
  const [catalogue, connections] = await Promise.all([getCatalogue(ctx), tenantConnections(ctx)]);
  const nameIn = (all: readonly { id: string; name: string }[], id: string) =>
    all.find((each) => each.id === id)?.name ?? id;
  const cellsOf = (row: DailyCost): string[] => {
    const isFee = row.kind === "platform_fee";
    const service = channelNames[row.channel] ?? row.channel;
    const provider = isFee ? "Tidings" : (connections.get(row.connectionId)?.name ?? "Removed connection");
    const application = catalogue.applications.find(({ id }) => id === row.applicationId);
    const bySegment = !isFee && row.channel === "sms" && row.segments > 0;
    const quantity = String(bySegment ? row.segments : row.entries);
    const unit = bySegment ? "Segments" : "Messages";
    const cells: Record<Column, string> = {
      BilledCost: row.amount,
      BillingAccountId: ctx.tenantId,
      BillingAccountName: catalogue.tenant.name,
      BillingCurrency: row.currency,
      BillingPeriodEnd: startOf(
        "month",
        new Date(startOf("month", row.at).getTime() + 32 * day),
      ).toISOString(),
      BillingPeriodStart: startOf("month", row.at).toISOString(),
      ChargeCategory: "Usage",
      ChargeClass: "",
      ChargeDescription: isFee ? `Platform fee, ${service}` : `${service} to ${row.country || "anywhere"}`,
      ChargePeriodEnd: new Date(row.at.getTime() + day).toISOString(),
      ChargePeriodStart: row.at.toISOString(),
      ContractedCost: row.amount,
      EffectiveCost: row.amount,
      InvoiceIssuerName: provider,
      ListCost: row.amount,
      PricingQuantity: quantity,
      PricingUnit: unit,
      ProviderName: provider,
      PublisherName: provider,
      ServiceCategory: "Integration",
      ServiceName: service,
      ChargeFrequency: "Usage-Based",
      ConsumedQuantity: quantity,
      ConsumedUnit: unit,
      SubAccountId: application?.name ?? row.applicationId,
      SubAccountName: application?.title ?? "Removed application",
      x_Environment: nameIn(catalogue.environments, row.environmentId),
      x_Unit: nameIn(catalogue.units, row.unitId),
      x_Country: row.country,
      x_NotificationType: row.notificationType,
      x_NotificationSubtype: row.notificationSubtype,
      x_TemplateId: row.templateId ?? "",
      x_PriceSource: row.source,
    };
    return columns.map((column) => cells[column]);
  };
  places.check(ctx.tenantId);
  return {
    name: `costs-focus-${period.from.toISOString().slice(0, 10)}.csv`,
    first: byteOrderMark + csvText([columns]),
    rest: places.whenRead(ctx.tenantId, async function* () {
      for (let from = period.from; from < period.to; from = new Date(from.getTime() + day)) {
        const ofDay = { ...filter, from, to: new Date(from.getTime() + day) };
        let after: DailyCost | undefined;
        do {
          const rows = await selectDailyCosts(ctx, scopes, ofDay, { after, limit: pageRows });
          if (rows.length > 0) yield Buffer.from(csvText(rows.map(cellsOf)));
          after = rows.length >= pageRows ? rows.at(-1) : undefined;
        } while (after);
      }
    }),
  };
}
