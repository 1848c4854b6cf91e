import { OpenAI } from "openai";
import { env } from "../kernel/env.ts";
import { outboundFetch } from "../kernel/outbound-fetch.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import { AiError } from "./ai-error.ts";
import type { AiConfig } from "./config.ts";

/** Upper limits of a call; saves and people who wait have shorter deadlines of their own. */
export const aiLimits = {
  /** Milliseconds for a check that a save waits for. */
  answerMs: 20_000,
  /** Milliseconds for writing a text. */
  draftMs: 120_000,
  /** Milliseconds without a single byte. */
  idleMs: 60_000,
  /** Size of a stream, in which each word takes some 250 bytes. */
  answerBytes: 8 * 1_048_576,
} as const;

/** So many calls at once; throws AiError `unavailable` when more than `waiting` wait already. */
export function aiSlots(slots: number, waiting: number): Semaphore {
  return new Semaphore(slots, { max: waiting, refusal: () => new AiError("unavailable") });
}

/** The client of a configured service, and its waiting lines. */
export interface AiClient {
  config: AiConfig;
  openai: OpenAI;
  /** Checks for saves and drafts for people have slots of their own. */
  checks: Semaphore;
  drafts: Semaphore;
}

const key = Symbol.for("tidings.ai");
const shared = globalThis as typeof globalThis & { [key]?: AiClient };

/** The process's one client of the configured service. On globalThis because Next loads a module once per bundle. */
export function aiClient(config: AiConfig): AiClient {
  const known = shared[key];
  if (known && JSON.stringify(known.config) === JSON.stringify(config)) return known;
  return (shared[key] = {
    config,
    openai: openClient(config),
    checks: aiSlots(8, 200),
    drafts: aiSlots(16, 50),
  });
}

function openClient(config: AiConfig): OpenAI {
  const { origin, protocol, port } = new URL(config.baseUrl);
  const onPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  const http = createOutboundClient({
    // The operator chose this address, wherever its name leads; the fetch below reaches nothing else.
    allow: config.ownAddress ? [`0.0.0.0/0:${onPort}`, `[::/0]:${onPort}`] : env().outboundAllow,
    userAgent: "Tidings/1.0",
    maxConnectionsPerOrigin: 32,
  });
  return new OpenAI({
    baseURL: config.baseUrl,
    apiKey: config.apiKey ?? "none",
    ...(config.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    // Set explicitly, so that the package does not read them from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // It would log addresses and parts of answers; our callers log what is worth knowing.
    logLevel: "off",
    maxRetries: 0,
    timeout: aiLimits.draftMs,
    fetch: outboundFetch(http, origin, {
      timeoutMs: aiLimits.draftMs,
      idleTimeoutMs: aiLimits.idleMs,
      maxBodyBytes: aiLimits.answerBytes,
    }),
  });
}
