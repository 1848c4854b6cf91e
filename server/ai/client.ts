import { OpenAI } from "openai";
import { env } from "../kernel/env.ts";
import { outboundFetch } from "../kernel/outbound-fetch.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import { AiError } from "./ai-error.ts";
import type { AiConfig } from "./config.ts";

/** A call that has no answer by then has none, ms; what waits for a person or a save has shorter ones of its own. */
export const aiLimits = {
  /** Milliseconds of a check that somebody waits for with a save. */
  answerMs: 20_000,
  /** Milliseconds of a text that is being written. */
  draftMs: 120_000,
  /** Milliseconds without a single byte. */
  idleMs: 60_000,
  /** Of a stream, where each word comes in some 250 bytes. */
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
  /** Saves wait for checks, people for drafts: neither takes the other's turn. */
  checks: Semaphore;
  drafts: Semaphore;
}

const key = Symbol.for("tidings.ai");
const shared = globalThis as typeof globalThis & { [key]?: AiClient };

/** The process's one door to the configured service. On globalThis because Next loads a module once per bundle. */
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
    // The operator's own address is the operator's word, wherever its name leads; the fetch below reaches nothing else.
    allow: config.ownAddress ? [`0.0.0.0/0:${onPort}`, `[::/0]:${onPort}`] : env().outboundAllow,
    userAgent: "Tidings/1.0",
    maxConnectionsPerOrigin: 32,
  });
  return new OpenAI({
    baseURL: config.baseUrl,
    apiKey: config.apiKey ?? "none",
    ...(config.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    // Given, so that the package does not look for them in the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // It would log addresses and parts of answers; what is worth knowing is logged where it is known what for.
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
