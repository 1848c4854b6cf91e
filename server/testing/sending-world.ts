import { Logger as GraphileLogger, runOnce } from "graphile-worker";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { taskFor } from "../../worker/tasks/parse-payload.ts";
import type { AdapterName } from "../adapters/schemas.ts";
import { forgetHealth } from "../connections/connection-state.ts";
import { credentialsContext, forgetConnections } from "../connections/load-connection.ts";
import { HealthMonitor } from "../health/health-monitor.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { sealText } from "../kernel/secrets.ts";
import { forgetRules } from "../routing/load-rules.ts";
import { acceptSend } from "../sending/accept-send.ts";
import type { AcceptedSend } from "../sending/accept-send.ts";
import { ConnectionLimiter } from "../sending/connection-limiter.ts";
import { Deliverer } from "../sending/deliver-notification.ts";
import type { DeliveryDeps } from "../sending/deliver-notification.ts";
import { HeldAttempts } from "../sending/held-attempts.ts";
import { deliveryLanes } from "../sending/lanes.ts";
import type { DeliveryLane } from "../sending/lanes.ts";
import type {
  Change,
  ClaimChange,
  FailedOutcome,
  OutcomeChange,
  SentOutcome,
  TransitionChange,
} from "../sending/notification-change.ts";
import { orderOfSend } from "../sending/orders.ts";
import { callAdvance } from "../sending/queries.ts";
import type { AppliedChange } from "../sending/queries.ts";
import { sendRequestSchema } from "../sending/schemas.ts";
import { WaitingMessages } from "../sending/resume-waiting.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import type { TestDatabase } from "./database.ts";
import { makeTenant } from "./factories.ts";

type EnvironmentName = "production" | "staging" | "sandbox";

/** The state of a stored notification, for assertions. */
export interface StoredNotification {
  id: string;
  status: string;
  final: boolean;
  sequence: number;
  reason_code: string | null;
  failure: { code: string; providerCode?: string } | null;
  provider: string | null;
  provider_message_id: string | null;
  attempts: number;
  open_attempt: number | null;
  unknown_outcomes: number;
  due_at: Date | null;
  expires_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
}

/** The types of makeTenant, and a template of each for sms and e-mail, live everywhere. */
const templates = [
  ["authentication", "one_time_passcode", "Your code is {{ code }}."],
  ["order", "order_status", "Order {{ code }} is on its way."],
  ["account", "maintenance", "Maintenance {{ code }}."],
  ["marketing", "promotion", "Offer {{ code }}."],
] as const;

/** Fields of a send request; the others have working defaults. */
export type SendFields = Partial<{
  transactionId: string;
  application: string;
  region: string;
  language: string;
  notificationType: string;
  notificationSubtype: string;
  recipients: {
    channel: Channel;
    recipient: string;
    variables?: Record<string, string>;
  }[];
  contactGroups: { group: string; channels: string[] }[];
  templateVariables: Record<string, string>[];
  scheduledAt: string;
  expiresAt: string;
  metadata: Record<string, string>;
}>;

/** The body of a send request that is accepted in the world below. */
export function sendBody(fields: SendFields = {}) {
  return {
    transactionId: newId(),
    application: "shop",
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [{ channel: "sms" as const, recipient: "+4915112345678" }],
    templateVariables: [{ code: "4711" }],
    ...fields,
  };
}

/**
 * A tenant that can send: templates for every type, and functions to add provider connections, to accept, to run the
 * queue's jobs in this process, to let time pass and to inspect messages.
 */
export async function makeSendingWorld(
  database: TestDatabase,
  options: { settings?: Record<string, unknown>; deps?: Partial<DeliveryDeps> } = {},
) {
  const tenant = await makeTenant(database, options.settings ? { settings: options.settings } : {});
  const { tenantId, environments } = tenant;
  const sql = database.owner;
  const { rows } = await sql.query<{ data_key: Buffer }>("SELECT data_key FROM tenants WHERE id = $1", [
    tenantId,
  ]);
  const dataKey = rows[0]?.data_key ?? Buffer.alloc(0);
  const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "Tidings tests" });

  async function addTemplate(template: {
    name: string;
    notificationType: string;
    notificationSubtype: string;
    channel: Channel;
    body: string;
    subject?: string;
    variables?: VariableDeclaration[];
    metadata?: Record<string, unknown>;
    region?: string;
    applicationId?: string;
    environments?: EnvironmentName[];
  }): Promise<string> {
    const id = newId();
    const variables = template.variables ?? [{ name: "code", type: "string", required: true }];
    await sql.query(
      `WITH t AS (
         INSERT INTO templates (tenant_id, id, application_id, name, notification_type, notification_subtype, channel, region, latest_version, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $13, 1, now())
       ), v AS (
         INSERT INTO template_versions (tenant_id, template_id, version, subject, body, variables, author_name, moderation, metadata)
         VALUES ($1, $2, 1, $8, $9, $10, 'Test', '{"checkedBy":["deterministic"],"findings":[]}', $12)
       )
       INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, deployed_at)
       SELECT $1, $2, e, 1, now() FROM unnest($11::uuid[]) AS e`,
      [
        tenantId,
        id,
        template.applicationId ?? tenant.application.id,
        template.name,
        template.notificationType,
        template.notificationSubtype,
        template.channel,
        template.channel === "email" ? (template.subject ?? "Tidings for you") : null,
        template.body,
        JSON.stringify(variables),
        (template.environments ?? (["production", "staging", "sandbox"] as const)).map(
          (name) => environments[name],
        ),
        template.metadata ?? {},
        template.region ?? null,
      ],
    );
    forgetLiveTemplates();
    return id;
  }
  for (const [notificationType, notificationSubtype, body] of templates) {
    for (const channel of ["sms", "email"] as const) {
      const name = `${notificationType}-${channel}`;
      await addTemplate({ name, notificationType, notificationSubtype, channel, body });
    }
  }

  async function addConnection(connection: {
    adapter: AdapterName;
    credentials: Record<string, unknown>;
    settings: Record<string, unknown>;
    channels: string[];
    name?: string;
    unitId?: string;
    senders?: { channel: string; sender: string; region?: string; unitId?: string }[];
    priceList?: { channel: string; country?: string; amount: string; currency: string }[];
    ratePerSecond?: number;
    maxConcurrency?: number;
    processingRegion?: string;
  }): Promise<string> {
    const id = newId();
    const sealed = sealText(
      tenantId,
      dataKey,
      credentialsContext(id),
      JSON.stringify(connection.credentials),
    );
    await sql.query(
      `INSERT INTO provider_connections (tenant_id, id, unit_id, name, adapter, channels, credentials, settings, senders,
         price_list, rate_per_second, max_concurrency, processing_region, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now())`,
      [
        tenantId,
        id,
        connection.unitId ?? null,
        connection.name ?? `${connection.adapter} ${id.slice(-6)}`,
        connection.adapter,
        connection.channels,
        sealed,
        connection.settings,
        JSON.stringify(connection.senders ?? []),
        JSON.stringify(connection.priceList ?? []),
        connection.ratePerSecond ?? null,
        connection.maxConcurrency ?? 50,
        connection.processingRegion ?? "EU",
      ],
    );
    forgetConnections(tenantId);
    return id;
  }

  type Limits = Partial<
    Pick<
      Parameters<typeof addConnection>[0],
      "name" | "unitId" | "senders" | "ratePerSecond" | "maxConcurrency" | "processingRegion" | "priceList"
    >
  >;

  const waiting = new WaitingMessages({ db: database.worker, log: logger() });
  const deps: Omit<DeliveryDeps, "lane"> = {
    places: 8,
    held: new HeldAttempts(),
    db: database.worker,
    waiting,
    http,
    log: logger(),
    limiter: new ConnectionLimiter().lane({ slots: 64 }),
    health: new HealthMonitor({ db: database.worker, http, log: logger() }),
    worker: newId(),
    isAlive: (worker) => Promise.resolve(worker === deps.worker),
    publicUrl: env().publicUrl,
    attemptTimeoutMs: 2_000,
    ...options.deps,
  };
  const delivererOf = (lane: DeliveryLane) => new Deliverer({ ...deps, lane }, { delayMs: 0, maxItems: 50 });
  const deliverers = {
    otp: delivererOf("otp"),
    transactional: delivererOf("transactional"),
    bulk: delivererOf("bulk"),
    sandbox: delivererOf("sandbox"),
  };
  const quiet = new GraphileLogger(() => () => undefined);

  async function notification(id: string): Promise<StoredNotification> {
    const found = await sql.query<StoredNotification>(
      "SELECT * FROM notifications WHERE tenant_id = $1 AND id = $2",
      [tenantId, id],
    );
    const row = found.rows[0];
    if (!row) throw new Error("no such notification");
    return row;
  }

  /** Applies changes to a message one after the other, as the worker would; returns the result of the last one. */
  async function advance(id: string, ...changes: Change[]): Promise<AppliedChange[]> {
    let applied: AppliedChange[] = [];
    for (const change of changes) {
      applied = await callAdvance(database.worker, null, [{ tenantId, id, ...change }]);
    }
    return applied;
  }

  return {
    tenant,
    tenantId,
    http,
    advance,
    /** Of the lane that most tests' messages take. */
    deliverer: deliverers.transactional,
    held: deps.held,
    /** Its timer is not started: tests call `tick`. */
    health: deps.health,
    /** The same. */
    waiting,
    /** The worker's name in attempts. */
    worker: deps.worker,
    addTemplate,
    addConnection,
    /** A Twilio connection for sms and whatsapp that talks to `baseUrl`. */
    addTwilio: async (baseUrl: string, limits: Limits = {}) => {
      const credentials = {
        accountSid: `AC${randomBytes(16).toString("hex")}`,
        authToken: randomBytes(16).toString("hex"),
      };
      // A number belongs to one unit.
      const { unitId } = limits;
      const number =
        unitId === undefined
          ? "+4930123456"
          : `+4931${String(parseInt(unitId.slice(-8), 16)).padStart(10, "0")}`;
      const id = await addConnection({
        adapter: "twilio",
        credentials,
        settings: { baseUrl },
        channels: ["sms", "whatsapp"],
        senders: [
          { channel: "sms", sender: number },
          { channel: "whatsapp", sender: number },
        ],
        ...limits,
      });
      return { id, ...credentials };
    },
    /** An SMTP connection to a server on this machine. */
    addSmtp: (port: number, limits: Limits = {}) =>
      addConnection({
        adapter: "smtp",
        credentials: {},
        settings: { host: "127.0.0.1", port, security: "none" },
        channels: ["email"],
        senders: [{ channel: "email", sender: "shop@tidings.example" }],
        ...limits,
      }),
    /** Routes an environment: tiers of connection ids. */
    addRule: async (
      environment: EnvironmentName,
      tiers: string[][],
      match: { channel?: string; region?: string; notificationType?: string; priority?: number } = {},
    ) => {
      await sql.query(
        `INSERT INTO routing_rules (tenant_id, id, environment_id, channel, region, notification_type, priority, tiers, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
        [
          tenantId,
          newId(),
          environments[environment],
          match.channel ?? null,
          match.region ?? null,
          match.notificationType ?? null,
          match.priority ?? 100,
          JSON.stringify(tiers.map((tier) => tier.map((connectionId) => ({ connectionId, weight: 1 })))),
        ],
      );
      forgetRules(tenantId, environments[environment]);
    },
    /** Accepts a send request as POST /api/app/notifications/send would. */
    send: (
      fields: SendFields = {},
      where: { environment?: EnvironmentName; ctx?: Ctx } = {},
    ): Promise<AcceptedSend> => {
      const body = sendRequestSchema.parse(sendBody(fields));
      return acceptSend(where.ctx ?? tenant.system, {
        order: orderOfSend(environments[where.environment ?? "production"], body),
        source: "send",
        transactionId: body.transactionId,
        idempotency: { kind: "transaction", key: body.transactionId, bodyHash: jsonHash(body) },
      });
    },
    /** Runs all due delivery jobs, and those that they cause. */
    runJobs: async (): Promise<void> => {
      await runOnce({
        pgPool: database.worker.pool,
        noHandleSignals: true,
        logger: quiet,
        taskList: Object.fromEntries(
          (Object.keys(deliverers) as DeliveryLane[]).map((lane) => [
            deliveryLanes[lane].name,
            taskFor(deliveryLanes[lane], (payload) => deliverers[lane].deliver(payload)),
          ]),
        ),
        concurrency: 8,
      });
      // It ends a moment before the last job is taken from the table.
      const busy = "SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL LIMIT 1";
      while ((await sql.query(busy)).rowCount !== 0) await pause(5);
    },
    /** Lets time pass: everything that is due, expires or is probed later moves `ms` closer. */
    passTime: async (ms: number) => {
      const by = `interval '${String(ms)} milliseconds'`;
      await sql.query(
        `UPDATE notifications SET due_at = due_at - ${by}, expires_at = expires_at - ${by} WHERE tenant_id = '${tenantId}'`,
      );
      await sql.query(`UPDATE graphile_worker._private_jobs SET run_at = run_at - ${by}`);
      await sql.query(
        `UPDATE waiting_messages SET due_at = due_at - ${by}, woken_at = woken_at - ${by} WHERE tenant_id = '${tenantId}'`,
      );
      await sql.query(
        `UPDATE connection_health SET since = since - ${by}, slow_since = slow_since - ${by}, next_probe_at = next_probe_at - ${by},
           wake_at = wake_at - ${by}
         WHERE tenant_id = '${tenantId}'`,
      );
      forgetHealth(tenantId);
    },
    notification,
    /** Its events in order; throws when their numbers have a gap. */
    events: async (id: string) => {
      const found = await sql.query<{ sequence: number; type: string; data: Record<string, unknown> }>(
        `SELECT sequence, type, data FROM notification_events WHERE tenant_id = $1 AND notification_id = $2 ORDER BY sequence`,
        [tenantId, id],
      );
      const { sequence } = await notification(id);
      if (found.rows.some((row, index) => row.sequence !== index + 1) || found.rows.length !== sequence) {
        throw new Error(`the sequence has gaps: ${found.rows.map((row) => row.sequence).join(", ")}`);
      }
      return found.rows;
    },
    attempts: async (id: string) => {
      const found = await sql.query<{
        number: number;
        connection_id: string;
        outcome: string | null;
        code: string | null;
        provider_code: string | null;
        provider_message_id: string | null;
        finished_at: Date | null;
        worker: string;
      }>("SELECT * FROM attempts WHERE tenant_id = $1 AND notification_id = $2 ORDER BY number", [
        tenantId,
        id,
      ]);
      return found.rows;
    },
    /** Jobs that wait for a message. */
    waitingJobs: async (id: string) => {
      const found = await sql.query<{ task: string; run_at: Date }>(
        `SELECT t.identifier AS task, j.run_at FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id
         WHERE j.payload->>'notificationId' = $1::text OR j.payload::jsonb->'notificationIds' ? $1::text ORDER BY j.run_at`,
        [id],
      );
      return found.rows;
    },
  };
}

export type SendingWorld = Awaited<ReturnType<typeof makeSendingWorld>>;

/** The start of an attempt, by an unknown process. */
export function claimOver(connectionId: string, worker = newId(), provider = "P"): ClaimChange {
  return { kind: "claim", worker, policy: "opt_out", connectionId, provider };
}

/** The end of an attempt that the provider accepted. */
export function takenBy(attempt: number, fields: Partial<SentOutcome> = {}): OutcomeChange {
  return { kind: "outcome", attempt, outcome: "sent", final: false, ...fields };
}

/** The end of a failed attempt; without `next` it is tried again in two minutes. */
export function notTakenBy(
  attempt: number,
  outcome: "not_sent" | "unknown",
  { code = "provider_timeout", next }: { code?: FailureCode; next?: FailedOutcome["next"] } = {},
): OutcomeChange {
  const again = { dueAt: new Date(Date.now() + 120_000), task: deliveryLanes.transactional.name };
  return { kind: "outcome", attempt, outcome, failure: { code, detail: "No answer" }, next: next ?? again };
}

/** The message gets another status. */
export function becomes(
  to: TransitionChange["to"],
  fields: Omit<TransitionChange, "kind" | "to"> = {},
): TransitionChange {
  return { kind: "transition", to, ...fields };
}

/** The id of the only, or of one, message of an accepted request. */
export function messageId(accepted: AcceptedSend, index = 0): string {
  const message = accepted.notifications[index];
  if (!message) throw new Error("no such message");
  return message.notificationId;
}
