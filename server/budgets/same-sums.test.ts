/** What a month has cost, asked for at every door, against plain SQL over the ledger. */
import { parse } from "csv-parse/sync";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { costReport } from "../insights/cost-report.ts";
import { foldMetrics } from "../insights/fold-metrics.ts";
import type { CostReport } from "../insights/schemas.ts";
import { downloadExport } from "../exports/download-export.ts";
import { getExport } from "../exports/get-exports.ts";
import { requestExport } from "../exports/request-export.ts";
import { runExport } from "../exports/run-export.ts";
import { exportInputSchema } from "../exports/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { plantMessages } from "../testing/planted-messages.ts";
import { restClient } from "../testing/rest-client.ts";
import { startOfMonth } from "./months.ts";
import { getStatement } from "./statement.ts";

const database = await testDatabase();
const sql = database.owner;
const rest = restClient(database.web);

type Sums = Record<string, string>;
/** By currency, with all six places. */
function sumsOf(rows: readonly { currency: string; amount: string }[]): Sums {
  const sums: Record<string, Decimal> = {};
  for (const { currency, amount } of rows) sums[currency] = (sums[currency] ?? new Decimal(0)).plus(amount);
  return Object.fromEntries(Object.entries(sums).map(([currency, sum]) => [currency, sum.toFixed(6)]));
}
const totalsOf = (all: readonly { currency: string; total: string }[]) =>
  sumsOf(all.map(({ currency, total }) => ({ currency, amount: total })));

const now = new Date();
const months = [-2, -1, 0].map((back) => ({
  from: startOfMonth(now, back),
  to: startOfMonth(now, back + 1),
}));

/** Around each month's first moment, and anywhere in these months; never later than now. */
const moment = fc
  .oneof(
    fc.tuple(fc.constantFrom(...months), fc.constantFrom(-3_600_001, -1, 0, 1, 3_599_999, 86_400_000)),
    fc.tuple(fc.constantFrom(...months), fc.integer({ min: 0, max: 27 * 86_400_000 })),
  )
  .map(([{ from }, offset]) => new Date(Math.min(from.getTime() + offset, now.getTime())));
const charge = fc.record({
  // Those whose sum no floating-point number holds, too.
  amount: fc
    .oneof(
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.integer({ min: 2 ** 52, max: Number.MAX_SAFE_INTEGER }),
    )
    .map((micros) => new Decimal(micros).div(1_000_000).toFixed(6)),
  currency: fc.constantFrom("EUR", "USD", "JPY"),
  source: fc.constantFrom("estimated", "reported"),
});
const entry = fc.record({
  charge,
  at: moment,
  isFee: fc.boolean(),
  /** What the provider says later that it took. */
  corrected: fc.option(charge),
  late: fc.boolean(),
});

it("portal, API, FOCUS, file of costs and statement say what the ledger adds up to, to the last digit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 60, maxLength: 160 }), async (entries) => {
      const tenant = await makeTenant(database);
      const { tenantId, environments, application, otherApplication, units } = tenant;
      for (const [environmentId, app, unitId] of [
        [environments.production, application, units.alpha],
        [environments.staging, otherApplication, units.beta],
      ] as const)
        await plantMessages(sql, { tenantId, environmentId, applicationId: app.id, unitId }, 200);
      const { rows: messages } = await sql.query<{ id: string }>(
        "SELECT id FROM notifications WHERE tenant_id = $1 ORDER BY md5(id::text)",
        [tenantId],
      );
      const write = async (one: (typeof entries)[number], index: number) => {
        await sql.query(
          `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, segments, at)
           VALUES ($1, uuidv7_new(), $2, $3, $4, $5, $6, $7, 2, $8)`,
          [
            ...[tenantId, messages[index]!.id, one.isFee ? 0 : 2, one.isFee ? "platform_fee" : "message"],
            ...[one.charge.amount, one.charge.currency, one.isFee ? "reported" : one.charge.source, one.at],
          ],
        );
      };
      for (const [index, one] of entries.entries()) if (!one.late) await write(one, index);
      await foldMetrics(database.worker);
      for (const [index, one] of entries.entries()) if (one.late) await write(one, index);
      for (const [index, { corrected, isFee }] of entries.entries()) {
        if (!corrected || isFee) continue;
        await sql.query(
          "UPDATE cost_entries SET amount = $3, currency = $4, source = 'reported' WHERE tenant_id = $1 AND notification_id = $2 AND attempt = 2",
          [tenantId, messages[index]!.id, corrected.amount, corrected.currency],
        );
        if (index % 20 === 0) await foldMetrics(database.worker);
      }
      await foldMetrics(database.worker);

      const { id, email } = await tenant.addMember("finance");
      const finance: Ctx = { ...tenant.as("finance"), actor: { type: "user", id, name: "Fin", email } };
      const { key } = await tenant.makeKey("production", { role: "finance" });
      const ofRest = async (format: string, { from, to }: (typeof months)[number]) => {
        const path = `/v1/reports/costs?from=${from.toISOString()}&to=${to.toISOString()}&format=${format}`;
        const answer = await rest.get(path, { key });
        expect(answer.status, answer.text).toBe(200);
        return answer;
      };
      for (const month of months) {
        const { from, to } = month;
        const period = { from: from.toISOString(), to: to.toISOString() };
        const ledger = async (environmentId: string | null) =>
          Object.fromEntries(
            (
              await sql.query<{ currency: string; total: string }>(
                `SELECT e.currency, sum(e.amount)::text AS total FROM cost_entries e
                 JOIN notifications n ON n.tenant_id = e.tenant_id AND n.id = e.notification_id
                 WHERE e.tenant_id = $1 AND e.at >= $2 AND e.at < $3 AND ($4::uuid IS NULL OR n.environment_id = $4) GROUP BY 1`,
                [tenantId, from, to, environmentId],
              )
            ).rows.map(({ currency, total }) => [currency, total]),
          );
        const [all, production] = [await ledger(null), await ledger(environments.production)];

        const report = await costReport(finance, { ...period, groupBy: ["application"], interval: "day" });
        expect(totalsOf(report.totals), "portal").toEqual(all);
        expect(totalsOf(report.groups.flatMap(({ costs }) => costs)), "portal, groups").toEqual(all);
        const shown = await costReport(finance, { ...period, environmentId: environments.production });
        expect(totalsOf(shown.totals), "portal, production").toEqual(production);

        const statement = await getStatement(finance, { month: period.from.slice(0, 7) });
        expect(totalsOf(statement.totals), "statement").toEqual(all);
        expect(totalsOf(statement.lines), "statement, lines").toEqual(all);

        const { id: exportId } = await requestExport(
          finance,
          exportInputSchema.parse({ kind: "costs", filter: period }),
        );
        while ((await getExport(finance, { id: exportId })).state !== "finished")
          await runExport({ db: database.worker }, { tenantId, exportId });
        const { first, rest: more } = await downloadExport(finance, { id: exportId });
        const pieces = [Buffer.from(first)];
        for await (const piece of more) pieces.push(Buffer.from(piece));
        const rows = parse<{ currency: string; amount: string }>(Buffer.concat(pieces), {
          bom: true,
          columns: true,
        });
        expect(sumsOf(rows), "file").toEqual(all);

        expect(totalsOf(((await ofRest("json", month)).body as CostReport).totals), "API").toEqual(
          production,
        );
        const focus = parse<Record<string, string>>((await ofRest("focus", month)).text, {
          bom: true,
          columns: true,
        });
        expect(
          sumsOf(focus.map((row) => ({ currency: row.BillingCurrency ?? "", amount: row.BilledCost ?? "" }))),
          "FOCUS",
        ).toEqual(production);
      }
    }),
    { numRuns: 3, seed: 13, endOnFailure: true },
  );
});
