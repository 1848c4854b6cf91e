import { expect, test } from "vitest";
import { foldMetrics } from "../../server/insights/fold-metrics.ts";
import { overviewReport } from "../../server/insights/overview-report.ts";
import { overviewPeriods } from "../../server/insights/vocabulary.ts";
import { countMessages } from "../../server/sending/list-notifications.ts";
import type { Change } from "../../server/sending/notification-change.ts";
import { testDatabase } from "../../server/testing/database.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../../server/testing/sending-world.ts";
import { endOf } from "../charts/period.ts";
import { messageParsers, type MessageValues } from "../messages/use-message-filters.ts";
import { messageFilterOf } from "../messages/use-messages.ts";
import { boundsOf, within } from "../reports/message-links.ts";
import { deliveryRate, figureOf, messagesOf, messagesOfReason, type Figure } from "./overview-figures.ts";

const database = await testDatabase();

const figures: readonly Figure[] = [
  ...(["accepted", "underWay", "delivered", "final", "notArrived", "rejected", "undelivered"] as const),
  ...(["sentWithoutReceipt", "failed", "expired", "undetermined", "canceled", "simulated"] as const),
];

/** What the Messages page asks for at a link. */
function readLink(query: Record<string, string>) {
  const unknown = Object.keys(query).filter((name) => !(name in messageParsers));
  expect(unknown, "parameters that the page does not know").toEqual([]);
  const values = Object.fromEntries(
    Object.entries(messageParsers).map(([name, parser]) => {
      const text = query[name];
      const parsed: unknown = text === undefined ? null : (parser.parse as (text: string) => unknown)(text);
      return [name, parsed ?? ("defaultValue" in parser ? parser.defaultValue : null)];
    }),
  ) as MessageValues;
  const filter = messageFilterOf(values, { createdFrom: query.from, createdTo: query.to });
  return {
    ...filter,
    createdFrom: new Date(query.from ?? ""),
    createdTo: new Date(query.to ?? ""),
  };
}

async function makeTraffic() {
  const world = await makeSendingWorld(database);
  const { id: simulator } = await world.tenant.addSimulator([]);
  const real = await world.addSmtp(25);
  const failed = becomes("failed", { failure: { code: "recipient_unreachable", detail: "" } });
  const noReceipt = becomes("undetermined", { reason: { code: "no_receipt", detail: "" } });
  const histories: Change[][] = [
    [],
    [becomes("canceled", { reason: { code: "canceled", detail: "" } })],
    [becomes("expired", { reason: { code: "expired", detail: "" } })],
    [becomes("rejected", { reason: { code: "suppressed", detail: "" } })],
    ...[real, simulator].flatMap((connection): Change[][] => [
      [claimOver(connection)],
      [claimOver(connection), takenBy(1)],
      [claimOver(connection), takenBy(1), becomes("delivered")],
      [claimOver(connection), takenBy(1), failed],
      [claimOver(connection), takenBy(1), noReceipt],
      [claimOver(connection), notTakenBy(1, "not_sent", { next: { to: "failed" } })],
    ]),
    [claimOver(real), takenBy(1, { final: true })],
  ];
  const recipients = [
    { channel: "sms" as const, recipient: "+4915112345678" },
    { channel: "email" as const, recipient: "ada@example.com" },
  ];
  for (const [index, history] of histories.entries()) {
    const accepted = await world.send({ recipients: recipients.slice(0, 1 + (index % 2)) });
    for (const [place] of accepted.notifications.entries())
      await world.advance(messageId(accepted, place), ...history);
  }
  await foldMetrics(database.worker);
  return world;
}

test.each(overviewPeriods)(
  "every figure of the Overview over %s leads to exactly as many messages as it says",
  async (period) => {
    const world = await makeTraffic();
    const ctx = world.tenant.as("owner");
    const environmentId = world.tenant.environments.production;
    const narrowing = { application: null, channel: null };
    const report = await overviewReport(ctx, { period, environmentId });
    const count = async (query: Record<string, string>) =>
      (await countMessages(ctx, { environmentId, ...readLink(query) })).count;

    for (const figure of figures)
      expect(await count(messagesOf(report, report, narrowing, figure)), figure).toBe(
        figureOf(report.totals, figure),
      );
    expect(report.totals.simulated).toBeGreaterThan(3);
    expect(report.totals.delivered).toBeGreaterThan(0);
    for (const each of report.channels)
      for (const figure of figures)
        expect(
          await count(messagesOf(report, report, { ...narrowing, channel: each.channel }, figure)),
          `${each.channel} ${figure}`,
        ).toBe(figureOf(each, figure));
    for (const reason of report.failures)
      expect(await count(messagesOfReason(report, narrowing, reason) ?? {}), reason.code).toBe(reason.count);
    for (const point of report.series.filter(({ accepted }) => accepted > 0)) {
      const start = Date.parse(point.at);
      const part = within(boundsOf(report), { from: start, to: endOf(start, report.step) });
      for (const figure of ["accepted", "undelivered"] as const)
        expect(await count(messagesOf(report, part, narrowing, figure))).toBe(figureOf(point, figure));
    }
  },
);

test("what is delivered and what is not are shares of the same final messages, so that they add up to one", async () => {
  const world = await makeTraffic();
  const { totals } = await overviewReport(world.tenant.as("owner"), {
    period: "24h",
    environmentId: world.tenant.environments.production,
  });
  const final = figureOf(totals, "final");
  expect(totals.delivered + figureOf(totals, "notArrived")).toBe(final);
  expect(deliveryRate(totals)).toBe(totals.delivered / final);
  const { accepted, underWay, rejected, canceled, sentWithoutReceipt, simulated } = totals;
  expect(final + underWay + rejected + canceled + sentWithoutReceipt + simulated).toBe(accepted);
});
