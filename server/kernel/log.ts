import { pino } from "pino";
import type { Logger } from "pino";
import { env } from "./env.ts";

export type { Logger };

let root: Logger | undefined;

/**
 * The process's logger: JSON lines on standard output. Never give it secrets, addresses or message texts; the redaction
 * below is only a safety net for that rule.
 */
export function logger(): Logger {
  root ??= pino({
    level: env().logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        "authorization",
        "password",
        "secret",
        "credentials",
        "recipient",
        "to",
        "email",
        "*.authorization",
        "*.password",
        "*.secret",
        "*.credentials",
        "*.recipient",
        "*.to",
        "*.email",
      ],
      censor: "[redacted]",
    },
    serializers: { err: serializeError },
  });
  return root;
}

/** Name, code, message and stack; not the other members, where drivers put parameters and bodies. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "not an Error was thrown" };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack };
}
