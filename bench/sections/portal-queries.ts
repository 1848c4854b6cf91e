import { systemCtx } from "../../server/access/system-ctx.ts";
import { listProviders } from "../../server/connections/list-providers.ts";
import { overviewReport } from "../../server/insights/overview-report.ts";
import { overviewPeriods } from "../../server/insights/vocabulary.ts";
import type { Ctx } from "../../server/kernel/ctx.ts";
import { openDb } from "../../server/kernel/db.ts";
import { logger } from "../../server/kernel/log.ts";
import { indexAddresses } from "../../server/sending/index-addresses.ts";
import { listNotifications } from "../../server/sending/list-notifications.ts";
import type { NotificationListInput } from "../../server/sending/list-notifications.ts";
import { query } from "../lib/cluster.ts";
import { createHistory } from "../lib/history.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

const day = 86_400_000;
const historyDays = 30;
const target = { at: "most", value: 150 } as const;

/** (f) The queries of the portal's Messages and Overview, over a month of stored messages, under row-level security. */
export async function portalQueries(run: Run): Promise<Measure[]> {
  const count = run.quick ? 100_000 : 1_000_000;
  const url = await run.cluster.createProduct("product_f");
  const world = await createWorld(url, { providerUrl: "http://127.0.0.1:9" });
  const startedAt = Date.now();
  await createHistory(url, world, { count, days: historyDays, events: true });
  const [rows] = await query<{ messages: number; rollups: number }>(
    url,
    "SELECT (SELECT count(*) FROM notifications)::int AS messages, (SELECT count(*) FROM rollup_keys WHERE slice = 'all')::int AS rollups",
  );
  run.say(
    `${rows?.messages} messages and ${rows?.rollups} combinations stored in ${Math.round((Date.now() - startedAt) / 1_000)} s`,
  );

  const indexing = performance.now();
  await indexAll(url);
  const indexed = performance.now() - indexing;
  const [size] = await query<{ words: number; share: number }>(
    url,
    `SELECT (SELECT count(*) FROM address_words)::int AS words, (pg_total_relation_size('address_words') * 100.0 /
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('notifications')))::float8 AS share`,
  );
  run.say(
    `${size?.words} words of addresses written in ${Math.round(indexed / 1_000)} s, ${size?.share.toFixed(1)} % of the size of the messages`,
  );

  const db = openDb("web", url, { poolSize: 6 });
  try {
    const ctx = systemCtx(db, world.tenantId, "Bench");
    const rounds = run.quick ? 10 : 30;
    const measures: Measure[] = [
      measure("f", "Addresses indexed, messages read", (rows?.messages ?? 0) / (indexed / 1_000), "/s"),
    ];
    const time = async (name: string, ask: (round: number) => Promise<unknown>) => {
      await ask(0);
      const times: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        const before = performance.now();
        await ask(round);
        times.push(performance.now() - before);
      }
      measures.push(measure("f", `${name}, p95`, percentile(times, 0.95), "ms", target));
    };
    for (const [name, input] of Object.entries(lists(world.environmentId))) {
      await time(`Messages: ${name}`, (round) => listNotifications(ctx, input(round)));
    }
    // Somebody who sees one team only: of each address, whether it is theirs is asked.
    const scope = { unitId: world.unitId, applicationId: null, environmentId: null };
    const grants = [{ ...scope, permissions: new Set(["notifications:read", "content:reveal"]) }];
    const teamCtx: Ctx = {
      ...ctx,
      actor: { type: "user", id: world.unitId, name: "Team", email: "team@example.com" },
      grants,
    };
    await time("Messages: search in one team, last digits", (round) =>
      listNotifications(teamCtx, { environmentId: world.environmentId, limit: 50, search: endingOf(round) }),
    );
    await time("Messages: search in one team, domain of many", () =>
      listNotifications(teamCtx, { environmentId: world.environmentId, limit: 50, search: "gmail.com" }),
    );
    const deep = await cursorAt(ctx, world.environmentId, 20 * day);
    await time("Messages: page 20 days back", () =>
      listNotifications(ctx, { environmentId: world.environmentId, limit: 50, cursor: deep }),
    );
    for (const period of overviewPeriods) {
      await time(`Overview: ${period}`, () =>
        Promise.all([
          overviewReport(ctx, { period, environmentId: world.environmentId }),
          listProviders(ctx),
        ]),
      );
    }
    return measures;
  } finally {
    await db.close();
  }
}

/** The Messages page with its filters; each round uses different values where possible. */
function lists(environmentId: string): Record<string, (round: number) => NotificationListInput> {
  const page = { environmentId, limit: 50 };
  return {
    all: () => page,
    failed: () => ({ ...page, statuses: ["failed"] }),
    "one failure code": () => ({ ...page, statuses: ["failed"], failureCode: "spam_filtered" }),
    undetermined: () => ({ ...page, statuses: ["undetermined"] }),
    "never sent (no match)": () => ({ ...page, statuses: ["scheduled"] }),
    "one channel": () => ({ ...page, channel: "whatsapp" }),
    "one application": () => ({ ...page, application: "support" }),
    "application, channel and type": () => ({
      ...page,
      application: "billing",
      channel: "email",
      notificationType: "sign_in",
    }),
    "search, address": (round) => ({ ...page, search: `customer${round * 997}@gmail.com` }),
    "search, number": (round) => ({ ...page, search: `+49 151 ${numberOf(round)}` }),
    "search, number in national form": (round) => ({ ...page, search: `0151 ${numberOf(round)}` }),
    "search, last digits": (round) => ({ ...page, search: endingOf(round) }),
    "search, last 4 digits": (round) => ({ ...page, search: endingOf(round).slice(-4) }),
    "search, part of a mail address": (round) => ({ ...page, search: `customer${round * 997}@gm` }),
    "search, beginning of many": () => ({ ...page, search: "customer1" }),
    "search, domain of many": () => ({ ...page, search: "gmail.com" }),
    "search, part of none": (round) => ({ ...page, search: `nobody${round}` }),
    "search, transaction": (round) => ({ ...page, search: `order-${round * 4_985 + 5}` }),
    "search, unknown": (round) => ({ ...page, search: `nobody${round}@example.com` }),
    "one day": (round) => ({
      ...page,
      createdFrom: new Date(Date.now() - (round % 28) * day - day),
      createdTo: new Date(Date.now() - (round % 28) * day),
    }),
    "one template": () => ({ ...page, template: "promotion" }),
  };
}

const numberOf = (round: number) => String(10_000_000 + ((round * 6_007) % 200_000));
const endingOf = (round: number) => numberOf(round).slice(-6);

/** As the worker does, turn by turn, of all that was there before. */
async function indexAll(url: string): Promise<void> {
  const db = openDb("worker", url, { poolSize: 2 });
  try {
    const options = { now: Date.now() + 120_000 };
    while ((await indexAddresses({ db, log: logger() }, options)) > 0);
  } finally {
    await db.close();
  }
  await query(url, "VACUUM (ANALYZE) address_words");
}

/** The cursor of a page that begins that long ago. */
async function cursorAt(ctx: Ctx, environmentId: string, age: number): Promise<string | undefined> {
  const page = await listNotifications(ctx, {
    environmentId,
    limit: 1,
    createdTo: new Date(Date.now() - age),
  });
  return page.nextCursor ?? undefined;
}
