import { expect, test } from "vitest";
import { deliveryReport } from "../../server/insights/delivery-report.ts";
import { foldMetrics } from "../../server/insights/fold-metrics.ts";
import { dimensions } from "../../server/insights/vocabulary.ts";
import type { Ctx } from "../../server/kernel/ctx.ts";
import { countMessages } from "../../server/sending/list-notifications.ts";
import type { Change } from "../../server/sending/notification-change.ts";
import { getCatalogue } from "../../server/tenancy/catalogue.ts";
import { testDatabase } from "../../server/testing/database.ts";
import {
  becomes,
  claimOver,
  makeSendingWorld,
  messageId,
  notTakenBy,
  takenBy,
} from "../../server/testing/sending-world.ts";
import { messageParsers, type MessageValues } from "../messages/use-message-filters.ts";
import { messageFilterOf } from "../messages/use-messages.ts";
import { endOf } from "../charts/period.ts";
import { countOf, messagesBehind, messagesOfFailure, within, type Counted } from "./message-links.ts";
import { filterNames, type ReportFilters } from "./report-filters.tsx";

const database = await testDatabase();
const none = Object.fromEntries(filterNames.map((name) => [name, null])) as ReportFilters;

/** What the Messages page asks for at a link. */
function readLink(query: Record<string, string>) {
  const values = Object.fromEntries(
    Object.entries(messageParsers).map(([name, parser]) => {
      const text = query[name];
      const parsed: unknown = text === undefined ? null : (parser.parse as (text: string) => unknown)(text);
      return [name, parsed ?? ("defaultValue" in parser ? parser.defaultValue : null)];
    }),
  ) as MessageValues;
  const unknown = Object.keys(query).filter((name) => !(name in messageParsers));
  expect(unknown, "parameters that the page does not know").toEqual([]);
  const filter = messageFilterOf(values, {
    createdFrom: values.from ?? undefined,
    createdTo: values.to ?? undefined,
  });
  return {
    ...filter,
    createdFrom: filter.createdFrom === undefined ? undefined : new Date(filter.createdFrom),
    createdTo: filter.createdTo === undefined ? undefined : new Date(filter.createdTo),
  };
}

test("every figure of the delivery report leads to exactly as many messages", async () => {
  const world = await makeSendingWorld(database);
  const [one, other] = [await world.addSmtp(25), await world.addSmtp(26)];
  const refused = { failure: { code: "invalid_recipient" as const, detail: "", providerCode: "550 5.1.1" } };
  const histories: Change[][] = [
    [],
    [claimOver(one), takenBy(1), becomes("delivered")],
    [claimOver(other), takenBy(1), becomes("delivered")],
    [claimOver(one), takenBy(1), becomes("failed", refused)],
    [claimOver(other), takenBy(1, { final: true })],
    [claimOver(one), notTakenBy(1, "not_sent", { next: { to: "failed" } })],
    [claimOver(one), takenBy(1), becomes("undetermined", { reason: { code: "no_receipt", detail: "" } })],
    [becomes("canceled", { reason: { code: "canceled", detail: "" } })],
    [becomes("expired", { reason: { code: "expired", detail: "" } })],
    [claimOver(other), takenBy(1), becomes("failed", refused), { kind: "signal", signal: "bounced" }],
  ];
  const recipients = [
    { channel: "sms" as const, recipient: "+4915112345678" },
    { channel: "sms" as const, recipient: "+33612345678" },
    { channel: "email" as const, recipient: "ada@gmail.com" },
    { channel: "email" as const, recipient: "ada@example.com" },
    { channel: "email" as const, recipient: "nobody" },
  ];
  for (const [index, history] of histories.entries()) {
    const accepted = await world.send({ recipients: recipients.slice(0, 1 + (index % recipients.length)) });
    for (const [place] of accepted.notifications.entries())
      await world.advance(messageId(accepted, place), ...history);
  }
  await foldMetrics(database.worker);
  const ctx: Ctx = world.tenant.as("owner");
  const hour = 3_600_000;
  const to = Math.ceil(Date.now() / hour) * hour;
  const period = { from: new Date(to - 24 * hour).toISOString(), to: new Date(to).toISOString() };
  const { environments, units } = await getCatalogue(ctx);
  const count = async (query: Record<string, string>) => {
    const { env, unit, ...rest } = query;
    const place = {
      environmentId: environments.find(({ slug }) => slug === env)?.id,
      unitId: units.find(({ slug }) => slug === unit)?.id,
    };
    return (await countMessages(ctx, { ...readLink(rest), ...place })).count;
  };
  const figures: readonly Counted[] = [
    ...(["accepted", "sent", "delivered", "sentWithoutReceipt", "failed", "rejected", "expired"] as const),
    ...(["canceled", "undetermined", "undelivered"] as const),
    "ended",
    "underWay",
  ];
  let looked = 0;
  for (const by of dimensions) {
    const report = await deliveryReport(ctx, { ...period, groupBy: [by] });
    for (const group of report.groups) {
      for (const counted of figures) {
        // A message is accepted, and may end, before it has a provider: such figures are nobody's.
        if (by === "provider" && counted === "accepted") continue;
        if (by === "provider" && counted === "underWay") continue;
        const query = messagesBehind(none, period, counted, { by, key: group.key });
        expect(query, `${by} ${group.key[by]?.label ?? ""}`).not.toBeNull();
        const says = countOf(group, counted);
        expect(await count(query ?? {}), `${by} ${group.key[by]?.label ?? ""} ${counted}`).toBe(says);
        looked++;
      }
    }
  }
  expect(looked).toBeGreaterThan(100);

  const { series, totals, failures } = await deliveryReport(ctx, { ...period, interval: "hour" });
  for (const point of series) {
    const start = Date.parse(point.at);
    const at = within({ from: to - 24 * hour, to }, { from: start, to: endOf(start, "hour") });
    for (const counted of figures) {
      const query = messagesBehind(none, at, counted) ?? {};
      expect(await count(query)).toBe(countOf(point, counted));
    }
  }
  expect(totals.accepted).toBeGreaterThan(15);
  expect(failures.length).toBeGreaterThan(3);
  for (const failure of failures) {
    const query = messagesOfFailure(none, period, failure) ?? {};
    expect(await count(query), JSON.stringify(failure)).toBe(failure.count);
  }
});
