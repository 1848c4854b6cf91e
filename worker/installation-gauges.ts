import type pg from "pg";
import { inTransaction } from "../server/kernel/db.ts";
import type { Db } from "../server/kernel/db.ts";
import type { Logger } from "../server/kernel/log.ts";
import { counter, gauge } from "../server/kernel/metrics.ts";
import { laneOfTask, otherLane } from "../server/sending/lane-of-task.ts";

/** How long one of the queries below may take, ms. Each needs a few; what takes so long is not worth the figure. */
const patienceMs = 2_000;
/** Where counts end: organisations of a lane or with open messages; jobs of a kind; messages of one organisation, and of all. */
const most = { tenants: 1_000, jobs: 10_000, messagesOfOne: 20_000, messages: 100_000, deliveries: 10_000 };
/** When one organisation is named in the log: it has so many messages due in a lane, and so large a part of them. */
const flood = { messages: 1_000, share: 0.8 };

type Client = Pick<pg.Pool, "query">;
/** A query, and the gauges that it sets. */
interface Group {
  name: string;
  gauges: { reset(): void }[];
  /** A gauge without labels, which a reset would leave at zero. */
  alone?: { remove(): void };
  read(client: Client): Promise<void>;
}

interface LaneDepth {
  lane: string;
  due: string;
  later: string;
  given_up: string;
  tenants: string;
  busiest: string;
  busiest_tenant: string | null;
  busiest_seconds: number;
  others_seconds: number;
}

/**
 * The figures of an installation that no process has by itself: queue, open messages, webhooks, connections. One worker process
 * at a time has them, so that sums over processes are right; the others have none. Each query is bounded and has a time limit.
 * When one fails, its figures disappear and its `tidings_gauges_updated_timestamp_seconds` stands still until it works again; nothing else
 * suffers.
 */
export class InstallationGauges {
  private readonly db: Db;
  private readonly log: Logger;
  private readonly mayLead: () => Promise<boolean>;
  private groups: readonly Group[] | undefined;
  private readonly failing = new Set<string>();
  private readonly flooding = new Map<string, string>();

  /** @param deps.mayLead whether this process is the one that has the figures; once it is, it stays so until it ends */
  constructor(deps: { db: Db; log: Logger; mayLead: () => Promise<boolean> }) {
    this.db = deps.db;
    this.log = deps.log;
    this.mayLead = deps.mayLead;
  }

  /** Computes all figures once, if this process is the one that has them. Rejects only when that cannot be found out. */
  async update(): Promise<void> {
    if (!this.groups) {
      if (!(await this.mayLead())) return;
      this.groups = [this.queue(), this.messages(), this.webhooks(), this.connections()];
    }
    const updated = gauge(
      "tidings_gauges_updated_timestamp_seconds",
      "When the figures of a group were last computed, in seconds since 1970",
      ["group"],
    );
    const failures = counter("tidings_gauges_failed_total", "Computations of figures that failed", ["group"]);
    // One after the other: figures never take more than one connection.
    for (const group of this.groups) {
      try {
        await inTransaction(this.db.pool, begin, (client) => group.read(client));
        updated.set({ group: group.name }, Date.now() / 1_000);
        if (this.failing.delete(group.name))
          this.log.info({ group: group.name }, "metrics can be computed again");
      } catch (error) {
        for (const each of group.gauges) each.reset();
        group.alone?.remove();
        failures.inc({ group: group.name });
        if (this.failing.has(group.name)) continue;
        this.failing.add(group.name);
        this.log.warn(
          { err: error, group: group.name },
          "metrics could not be computed; they are tried again",
        );
      }
    }
  }

  private queue(): Group {
    const messages = gauge(
      "tidings_queue_messages",
      "Messages (other jobs: jobs) of a lane that are due or scheduled for later, and jobs that were given up",
      ["lane", "state"],
    );
    const oldest = gauge(
      "tidings_queue_oldest_seconds",
      "How long the oldest due job of a lane has waited, of the organisation that has most and of the others",
      ["lane", "tenants"],
    );
    const due = gauge(
      "tidings_queue_due_messages",
      "Due messages of a lane, of the organisation that has most and of the others",
      ["lane", "tenants"],
    );
    const tenants = gauge("tidings_queue_tenants", "Organisations with due messages in a lane", ["lane"]);
    return {
      name: "queue",
      gauges: [messages, oldest, due, tenants],
      read: async (client) => {
        const { rows } = await client.query<LaneDepth>(
          `SELECT *, coalesce(extract(epoch FROM now() - busiest_since), 0)::float8 AS busiest_seconds,
             coalesce(extract(epoch FROM now() - others_since), 0)::float8 AS others_seconds
           FROM queue_depth($1, $2, $3, $4, $5)`,
          [[...laneOfTask.keys()], [...laneOfTask.values()], otherLane, most.tenants, most.jobs],
        );
        for (const row of rows) {
          const { lane } = row;
          messages.set({ lane, state: "due" }, Number(row.due));
          messages.set({ lane, state: "scheduled" }, Number(row.later));
          messages.set({ lane, state: "given_up" }, Number(row.given_up));
          due.set({ lane, tenants: "busiest" }, Number(row.busiest));
          due.set({ lane, tenants: "others" }, Number(row.due) - Number(row.busiest));
          oldest.set({ lane, tenants: "busiest" }, Math.max(0, row.busiest_seconds));
          oldest.set({ lane, tenants: "others" }, Math.max(0, row.others_seconds));
          tenants.set({ lane }, Number(row.tenants));
          this.tellFlood(row);
        }
      },
    };
  }

  /** Who floods a lane is in the log, not in the metrics: their labels are few. Once for each time. */
  private tellFlood({ lane, due, busiest, busiest_tenant: tenantId }: LaneDepth): void {
    const share = Number(busiest) / Math.max(Number(due), 1);
    if (tenantId === null || Number(busiest) < flood.messages || share < flood.share) {
      this.flooding.delete(lane);
      return;
    }
    if (this.flooding.get(lane) === tenantId) return;
    this.flooding.set(lane, tenantId);
    this.log.info(
      { lane, tenantId, messages: Number(busiest), of: Number(due) },
      "most of what waits in a lane is one organisation's",
    );
  }

  private messages(): Group {
    const open = gauge(
      "tidings_messages_open",
      "Messages that are not sent yet and have not ended, by status",
      ["status"],
    );
    return {
      name: "messages",
      gauges: [open],
      read: async (client) => {
        const { rows } = await client.query<{ status: string; messages: number }>(
          "SELECT status, messages FROM open_messages($1, $2, $3)",
          [most.tenants, most.messagesOfOne, most.messages],
        );
        for (const status of ["pending_approval", "scheduled", "queued", "sending"])
          open.set({ status }, rows.find((row) => row.status === status)?.messages ?? 0);
      },
    };
  }

  private webhooks(): Group {
    const backlog = gauge(
      "tidings_webhook_backlog",
      "Webhook deliveries that are due, and that wait for another try",
      ["state"],
    );
    const oldest = gauge(
      "tidings_webhook_oldest_due_seconds",
      "How long the oldest due webhook delivery has waited",
    );
    return {
      name: "webhooks",
      gauges: [backlog],
      alone: oldest,
      read: async (client) => {
        const { rows } = await client.query<{ due: number; later: number; seconds: number }>(
          `SELECT due, later, coalesce(extract(epoch FROM now() - due_since), 0)::float8 AS seconds
           FROM webhook_backlog($1)`,
          [most.deliveries],
        );
        const [row] = rows;
        if (!row) throw new Error("webhook_backlog answered nothing");
        backlog.set({ state: "due" }, row.due);
        backlog.set({ state: "later" }, row.later);
        oldest.set(row.seconds);
      },
    };
  }

  private connections(): Group {
    const breakers = gauge(
      "tidings_breaker_state",
      "Connections of all organisations that are open, half_open or slow",
      ["adapter", "state"],
    );
    return {
      name: "connections",
      gauges: [breakers],
      read: async (client) => {
        const { rows } = await client.query<{ adapter: string; state: string; connections: number }>(
          "SELECT adapter, state, connections FROM unhealthy_connections()",
        );
        // What is well again is zero, not gone.
        for (const { labels } of (await breakers.get()).values) breakers.set(labels, 0);
        for (const { adapter, state, connections } of rows) breakers.set({ adapter, state }, connections);
      },
    };
  }
}

const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${String(patienceMs)}; SET LOCAL lock_timeout = ${String(patienceMs)}`;
