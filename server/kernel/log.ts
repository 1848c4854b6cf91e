import { pino } from "pino";
import type { Bindings, DestinationStream, Logger, LoggerOptions } from "pino";
import { env } from "./env.ts";
import { traceFields } from "./tracing.ts";

export type { Logger };

let root: Logger | undefined;

/**
 * The process's logger: JSON lines on standard output. Never give it secrets, addresses or message texts; the redaction
 * below is only a safety net for that rule.
 */
export function logger(): Logger {
  return (root ??= createLogger(levelOf()));
}

/** A wrong configuration is to be logged as well. */
function levelOf(): string {
  try {
    return env().logLevel;
  } catch {
    return "info";
  }
}

/** What every line has of its own. */
const reserved = new Set(["level", "time", "msg"]);

/**
 * A logger whose lines hold each field once. pino writes one that a child logger is bound to and the line names as well twice, which
 * readers of JSON take differently or refuse. Here the line's own stands, before the child's, before its parent's; a field that
 * would stand in the way of level, time and msg gets an underscore.
 * @param destination standard output without it
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const bindings = new WeakMap<object, Record<string, unknown>>();
  const boundTo = (logger: object) => bindings.get(logger) ?? {};
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redacted, censor: "[redacted]" },
    serializers: { err: serializeError },
    // A new object each time, because pino writes into it.
    mixin: () => ({ ...traceFields() }),
    hooks: {
      logMethod(args, write) {
        const fields: unknown = args[0];
        if (typeof fields !== "object" || fields === null) {
          write.apply(this, args);
          return;
        }
        const bound = boundTo(this);
        const line = (fields instanceof Error ? { err: fields } : fields) as Record<string, unknown>;
        const names = Object.keys(line).filter((name) => line[name] !== undefined);
        const repeats = names.some((name) => name in bound);
        if (!repeats && !names.some((name) => reserved.has(name))) {
          write.apply(this, args);
          return;
        }
        const others = Object.entries(bound).filter(([name]) => !names.includes(name));
        const on = repeats ? bare(Object.fromEntries(others), { level: this.level }) : this;
        const said = args.length < 2 && fields instanceof Error ? [fields.message] : args.slice(1);
        write.apply(on, [withFreeNames(line), ...said] as unknown as typeof args);
      },
    },
  };
  const made: Logger = destination ? pino(options, destination) : pino(options);
  const bare: (fields: Bindings, options: { level: string }) => Logger = made.child.bind(made);
  const child = function (this: Logger, fields: Bindings): Logger {
    const all = { ...boundTo(this), ...withFreeNames(fields) };
    const bound = bare(all, { level: this.level });
    bindings.set(bound, all);
    return bound;
  };
  return Object.assign(made, { child });
}

const withFreeNames = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [reserved.has(name) ? `${name}_` : name, value as unknown]),
  );

const redacted = [
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
];

/** Name, code, message and stack; not the other members, where drivers put parameters and bodies. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "not an Error was thrown" };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack };
}
