import type { AsyncLocalStorage } from "node:async_hooks";
import { parseTraceparent, traceparentOf } from "./trace-context.ts";
import type { TraceContext } from "./trace-context.ts";

/*
 * Spans for OpenTelemetry, for everything that may be traced. Nothing of OpenTelemetry is loaded here: start-tracing.ts does it, and
 * only where the operator has switched tracing on. Until then each function costs one look at a variable.
 */

/**
 * Every attribute that a span may have. There is none for addresses, texts, variables, subjects, headers, credentials or the
 * addresses of webhook endpoints, and whatever is not in this list is left out.
 */
export const spanAttributes = [
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "error.type",
  "messaging.system",
  "messaging.destination.name",
  "messaging.operation.name",
  "messaging.operation.type",
  "messaging.batch.message_count",
  "messaging.message.id",
  "tidings.tenant.id",
  "tidings.environment.id",
  "tidings.application.id",
  "tidings.request.id",
  "tidings.notification.id",
  "tidings.notification.class",
  "tidings.channel",
  "tidings.replayed",
  "tidings.rejected_messages",
  "tidings.queue.wait_ms",
  "tidings.connection.id",
  "tidings.provider",
  "tidings.attempt.number",
  "tidings.outcome",
  "tidings.receipt",
  "tidings.webhook.delivery.id",
  "tidings.webhook.endpoint.id",
  "tidings.webhook.event",
] as const;

type SpanAttribute = (typeof spanAttributes)[number];
/** Undefined ones are left out. */
export type SpanAttributes = Partial<Record<SpanAttribute, string | number | boolean | undefined>>;

/** Of OpenTelemetry. */
export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

interface SpanStart {
  /** By the semantic conventions; of few values, never of a tenant's. */
  name: string;
  kind: SpanKind;
  /** Null: it begins a trace. Left out: the active span, or none. */
  parent?: TraceContext | null;
  /** Ms since the epoch; now without it. */
  startTime?: number;
  attributes?: SpanAttributes;
}

export interface Span {
  readonly context: TraceContext;
  /**
   * As a request that belongs to this trace keeps it; undefined: the trace is not recorded, and nobody outside knows of it.
   */
  readonly carried: string | undefined;
  set(attributes: SpanAttributes): void;
  /** `type`: an error code of ours, or a class of errors. Never a message. */
  fail(type: string): void;
  end(): void;
}

/** What start-tracing.ts puts in place. */
export interface Tracing {
  start(span: SpanStart & { parent: TraceContext | null }): Omit<Span, "carried">;
  active: AsyncLocalStorage<Span>;
  /** Exports what has ended, for at most as long as that, ms, and ends. */
  stop(withinMs: number): Promise<void>;
}

const key = Symbol.for("tidings.tracing");
const shared = globalThis as typeof globalThis & { [key]?: { tracing: Tracing | undefined } };
// On globalThis because Next may load a module once per bundle.
const state = (shared[key] ??= { tracing: undefined });

/** Replaces what makes spans; undefined switches tracing off. */
export function setTracing(tracing: Tracing | undefined): void {
  state.tracing = tracing;
}

/** Whether this process makes spans. */
export function isTracing(): boolean {
  return state.tracing !== undefined;
}

/** The span that the calling code runs in, if any. */
export function activeSpan(): Span | undefined {
  return state.tracing?.active.getStore();
}

/** Begins a span, which has to be ended; undefined while tracing is off. */
export function startSpan(start: SpanStart): Span | undefined {
  const { tracing } = state;
  if (!tracing) return undefined;
  const within = start.parent === undefined ? tracing.active.getStore() : undefined;
  const parent = start.parent ?? within?.context ?? null;
  const span = tracing.start({ ...start, parent });
  const { context } = span;
  // A caller's trace goes on through us even if it is not recorded.
  const given = within ? within.carried !== undefined : parent !== null;
  const carried = context.sampled || given ? traceparentOf(context) : undefined;
  return Object.assign(span, { carried });
}

/** Runs something in a span, which stays open: what it starts and logs belongs to the span. */
export function withSpan<Result>(span: Span, run: () => Result): Result {
  const { tracing } = state;
  return tracing ? tracing.active.run(span, run) : run();
}

/**
 * Runs something in a span and ends it: what it starts and logs belongs to the span. An error that passes is noted by its class,
 * or by its code.
 */
export async function inSpan<Result>(span: Span | undefined, run: () => Promise<Result>): Promise<Result> {
  if (!span) return run();
  try {
    return await withSpan(span, run);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/**
 * Begins the span of work on a message whose request keeps its trace; undefined where that is not traced.
 * @param context as the request keeps it
 */
export function resumeTrace(
  context: string | null | undefined,
  start: Omit<SpanStart, "parent">,
): Span | undefined {
  if (!state.tracing || !context) return undefined;
  const parent = parseTraceparent(context);
  return parent ? startSpan({ ...start, parent }) : undefined;
}

/** What a line of the log says of the trace it belongs to. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = activeSpan();
  return span ? { trace_id: span.context.traceId, span_id: span.context.spanId } : {};
}

/** How many messages of a request are traced: a campaign is no trace that anybody could look at. */
export const tracedMessages = 1_000;
