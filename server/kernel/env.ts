import path from "node:path";
import { z } from "zod";
import { parseProxyRanges } from "./client-address.ts";
import { trimTrailing } from "./trim-trailing.ts";

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
const price = z.coerce.number().min(0).max(1_000_000).optional();
const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(1);
const metricsPort = z.literal("off").or(port).optional();

const schema = z
  .object({
    NODE_ENV: z.string().default("development"),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
    DATABASE_URL: z.url().optional(),
    WEB_DATABASE_URL: z.url().optional(),
    WEB_REPLICA_DATABASE_URL: z.url().optional(),
    WORKER_DATABASE_URL: z.url().optional(),
    WORKER_DIRECT_DATABASE_URL: z.url().optional(),
    CONSOLE_DATABASE_URL: z.url().optional(),
    CONSOLE_SECOND_FACTOR: z.enum(["required", "optional"]).default("required"),
    ALLOW_OWNER_LOGIN: z.stringbool().default(false),
    TIDINGS_SECRET_KEY: z.string().optional(),
    TIDINGS_PREVIOUS_SECRET_KEYS: list,
    PORT: port.default(3000),
    HOST: z.string().optional(),
    PUBLIC_URL: z.url().optional(),
    SHORT_URL: z.url({ protocol: /^https?$/ }).optional(),
    WEB_METRICS_PORT: metricsPort,
    WORKER_METRICS_PORT: metricsPort,
    METRICS_HOST: z.string().default("127.0.0.1"),
    OUTBOUND_ALLOW: list,
    DNS_SERVERS: list,
    TRUSTED_PROXIES: list.transform((entries, context) => {
      try {
        return parseProxyRanges(entries);
      } catch (error) {
        context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    }),
    WEB_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
    WEB_BULK_ACCEPTS: z.coerce.number().int().min(1).max(8).default(1),
    AUDIT_CHECKPOINT_FILE: z.string().optional(),
    MAILBOX_URL: z.url().optional(),
    DATA_DIR: z.string().default(".data"),
    OIDC_ISSUER: z.url().optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_NAME: z.string().default("Single sign-on"),
    AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    AI_API_KEY: z.string().optional(),
    AI_MODEL: z.string().optional(),
    AI_MODERATION_MODEL: z.string().optional(),
    AI_REGION: z.string().optional(),
    AI_PRICE_INPUT: price,
    AI_PRICE_OUTPUT: price,
    AI_PRICE_CURRENCY: z
      .string()
      .regex(/^[A-Z]{3}$/, "Three capital letters, e.g. EUR")
      .default("USD"),
    // A request may name 1,000 recipients, so no quota is below that.
    MESSAGES_PER_MINUTE: z.coerce.number().int().min(1_000).default(600_000),
    SANDBOX_MESSAGES_PER_MINUTE: z.coerce.number().int().min(1_000).default(60_000),
    WORKER_CONCURRENCY_OTP: z.coerce.number().int().min(1).default(32),
    WORKER_CONCURRENCY_TRANSACTIONAL: z.coerce.number().int().min(1).default(64),
    WORKER_CONCURRENCY_BULK: z.coerce.number().int().min(1).default(256),
    WORKER_CONCURRENCY_SANDBOX: z.coerce.number().int().min(1).default(16),
    WORKER_CONCURRENCY_WEBHOOK: z.coerce.number().int().min(1).default(64),
    // OpenTelemetry's own names. Its exporter reads the others of OTEL_EXPORTER_OTLP_* itself.
    OTEL_SDK_DISABLED: z.stringbool().default(false),
    OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    OTEL_EXPORTER_OTLP_PROTOCOL: z.literal("http/protobuf").optional(),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal("http/protobuf").optional(),
    OTEL_SERVICE_NAME: z.string().optional(),
    OTEL_TRACES_SAMPLER: z
      .enum([
        "always_on",
        "always_off",
        "traceidratio",
        "parentbased_always_on",
        "parentbased_always_off",
        "parentbased_traceidratio",
      ])
      .default("parentbased_always_on"),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
    OTEL_BSP_MAX_QUEUE_SIZE: count.max(100_000).default(4_096),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count.default(512),
    OTEL_BSP_SCHEDULE_DELAY: count.default(1_000),
    OTEL_BSP_EXPORT_TIMEOUT: count.default(10_000),
  })
  .refine((raw) => (raw.AI_PRICE_INPUT === undefined) === (raw.AI_PRICE_OUTPUT === undefined), {
    path: ["AI_PRICE_INPUT"],
    error: "AI_PRICE_INPUT and AI_PRICE_OUTPUT go together",
  })
  .transform((raw) => ({
    raw,
    publicUrl: (raw.PUBLIC_URL ?? `http://localhost:${String(raw.PORT)}`).replace(/\/$/, ""),
  }))
  .transform(({ raw, publicUrl }) => ({
    nodeEnv: raw.NODE_ENV,
    logLevel: raw.LOG_LEVEL,
    databaseUrl: raw.DATABASE_URL,
    webDatabaseUrl: raw.WEB_DATABASE_URL,
    /** A streaming replica of the database, which answers reports. */
    webReplicaDatabaseUrl: raw.WEB_REPLICA_DATABASE_URL,
    workerDatabaseUrl: raw.WORKER_DATABASE_URL,
    /** Postgres itself, where a pooler answers at the other. */
    workerDirectDatabaseUrl: raw.WORKER_DIRECT_DATABASE_URL,
    /** A login of role tidings_console; the operator console is off without it. */
    consoleDatabaseUrl: raw.CONSOLE_DATABASE_URL,
    /** Whether an operator without a second factor can do nothing in the console before they have set one up. */
    consoleSecondFactorRequired: raw.CONSOLE_SECOND_FACTOR === "required",
    /** Web and worker may run with the owner's login, which can undo their restrictions. */
    allowOwnerLogin: raw.ALLOW_OWNER_LOGIN,
    secretKey: raw.TIDINGS_SECRET_KEY,
    previousSecretKeys: raw.TIDINGS_PREVIOUS_SECRET_KEYS,
    publicUrl,
    /** Where built-in short links begin: a shorter host of the same web process, or the public address. */
    shortUrl: raw.SHORT_URL === undefined ? publicUrl : trimTrailing(raw.SHORT_URL, "/"),
    port: raw.PORT,
    host: raw.HOST,
    /** Where metrics are served; 0: any free port, "off": nowhere, undefined: metricsPorts. */
    webMetricsPort: raw.WEB_METRICS_PORT,
    workerMetricsPort: raw.WORKER_METRICS_PORT,
    metricsHost: raw.METRICS_HOST,
    outboundAllow: raw.OUTBOUND_ALLOW,
    /** Asked for the proof that a domain is an organisation's; empty: the system's. */
    dnsServers: raw.DNS_SERVERS,
    /** Proxies whose X-Forwarded-For is trusted. */
    trustedProxies: raw.TRUSTED_PROXIES,
    /** How long a web process that is asked to end still takes connections, while /readyz says that it will not. */
    webDrainMs: raw.WEB_DRAIN_SECONDS * 1_000,
    /** Concurrent statements of the web process for requests with many recipients. */
    webBulkAccepts: raw.WEB_BULK_ACCEPTS,
    /** Where the worker appends the signed heads of the audit trails. */
    auditCheckpointFile:
      raw.AUDIT_CHECKPOINT_FILE === undefined ? undefined : path.resolve(raw.AUDIT_CHECKPOINT_FILE),
    mailboxUrl: raw.MAILBOX_URL,
    dataDir: path.resolve(raw.DATA_DIR),
    oidc:
      raw.OIDC_ISSUER && raw.OIDC_CLIENT_ID && raw.OIDC_CLIENT_SECRET
        ? {
            issuer: raw.OIDC_ISSUER,
            clientId: raw.OIDC_CLIENT_ID,
            clientSecret: raw.OIDC_CLIENT_SECRET,
            name: raw.OIDC_NAME,
          }
        : undefined,
    /** The AI service, if the operator has configured one. Prices are per million tokens. */
    ai: {
      baseUrl: raw.AI_BASE_URL === undefined ? undefined : trimTrailing(raw.AI_BASE_URL, "/"),
      apiKey: raw.AI_API_KEY,
      model: raw.AI_MODEL,
      moderationModel: raw.AI_MODERATION_MODEL,
      region: raw.AI_REGION,
      price:
        raw.AI_PRICE_INPUT === undefined || raw.AI_PRICE_OUTPUT === undefined
          ? undefined
          : {
              input: raw.AI_PRICE_INPUT,
              output: raw.AI_PRICE_OUTPUT,
              currency: raw.AI_PRICE_CURRENCY,
            },
    },
    /** How many messages an environment may accept a minute, by its kind. */
    messagesPerMinute: { live: raw.MESSAGES_PER_MINUTE, sandbox: raw.SANDBOX_MESSAGES_PER_MINUTE },
    concurrency: {
      otp: raw.WORKER_CONCURRENCY_OTP,
      transactional: raw.WORKER_CONCURRENCY_TRANSACTIONAL,
      bulk: raw.WORKER_CONCURRENCY_BULK,
      sandbox: raw.WORKER_CONCURRENCY_SANDBOX,
      webhook: raw.WORKER_CONCURRENCY_WEBHOOK,
    },
    /** Whether traces are exported, and how; undefined: there are none. */
    tracing:
      raw.OTEL_SDK_DISABLED ||
      raw.OTEL_TRACES_EXPORTER === "none" ||
      !(raw.OTEL_EXPORTER_OTLP_ENDPOINT ?? raw.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
        ? undefined
        : {
            service: raw.OTEL_SERVICE_NAME,
            sampler: { name: raw.OTEL_TRACES_SAMPLER, ratio: raw.OTEL_TRACES_SAMPLER_ARG },
            batch: {
              queueSize: raw.OTEL_BSP_MAX_QUEUE_SIZE,
              batchSize: raw.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
              delayMs: raw.OTEL_BSP_SCHEDULE_DELAY,
              timeoutMs: raw.OTEL_BSP_EXPORT_TIMEOUT,
            },
          },
  }));

export type Env = z.output<typeof schema>;

let cached: Env | undefined;

/** The process's configuration, parsed once. Throws with every invalid variable named. */
export function env(): Env {
  if (!cached) {
    // An empty variable means "not set": shells and compose files cannot unset one.
    const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""));
    const result = schema.safeParse(set);
    if (!result.success) throw new Error(`Wrong configuration:\n${z.prettifyError(result.error)}`);
    cached = result.data;
  }
  return cached;
}
