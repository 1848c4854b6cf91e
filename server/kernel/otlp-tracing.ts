import { AsyncLocalStorage } from "node:async_hooks";
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind as ApiSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Sampler, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Env } from "./env.ts";
import { newId } from "./ids.ts";
import { logger } from "./log.ts";
import { counter } from "./metrics.ts";
import type { TraceContext } from "./trace-context.ts";
import { spanAttributes } from "./tracing.ts";
import type { Span, SpanAttributes, SpanKind, Tracing } from "./tracing.ts";

/*
 * The only file that imports OpenTelemetry, and itself only imported by start-tracing.ts, when tracing is on. The exporter reads
 * OTEL_EXPORTER_OTLP_* itself (address, headers, certificates, timeout, compression): they are the operator's, so it dials the
 * collector wherever it is, without the rules for addresses that organisations enter.
 */

const spans = counter(
  "tidings_trace_spans_total",
  "Recorded spans: ended, exported, and those that no collector took",
  ["result"],
);
// A rate does not see a series that begins with its first failure.
spans.inc({ result: "failed" }, 0);

const kinds: Record<SpanKind, ApiSpanKind> = {
  internal: ApiSpanKind.INTERNAL,
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
  producer: ApiSpanKind.PRODUCER,
  consumer: ApiSpanKind.CONSUMER,
};

const allowed: ReadonlySet<string> = new Set(spanAttributes);
/** Longer values are cut; ours are ids, names and codes. */
const maxValueLength = 128;
/** How often failed exports are logged, ms. */
const quietMs = 60_000;

type Settings = NonNullable<Env["tracing"]> & { service: string };

/** Only what may leave the process. */
function permitted(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries<string | number | boolean | undefined>(attributes)) {
    if (value !== undefined && allowed.has(name)) kept[name] = value;
  }
  return kept;
}

function samplerOf({ name, ratio }: Settings["sampler"]): Sampler {
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, parentBased, root = ""] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const sampler = (roots[root] ?? (() => new AlwaysOnSampler()))();
  return parentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

/** Counts what is exported; says at most once a minute that spans are lost. */
function watched(exporter: SpanExporter): SpanExporter {
  let saidAt = -Infinity;
  return {
    export: (batch, done) => {
      exporter.export(batch, (result) => {
        const failed = result.error !== undefined;
        spans.inc({ result: failed ? "failed" : "exported" }, batch.length);
        if (failed && performance.now() - saidAt > quietMs) {
          saidAt = performance.now();
          // Not the error: a collector's answer can hold anything.
          logger().warn({ spans: batch.length }, "spans could not be exported; nothing else is affected");
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

const sampledFlag: number = TraceFlags.SAMPLED;
const isSampled = (flags: number) => (flags & sampledFlag) !== 0;

const counting: SpanProcessor = {
  onStart: () => undefined,
  onEnd: (span) => {
    if (isSampled(span.spanContext().traceFlags)) spans.inc({ result: "ended" });
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** Makes spans and exports them in batches; at most `queueSize` wait for that, further ones are dropped. */
export function otlpTracing(settings: Settings): Tracing {
  // What the SDK says about itself: exports that failed are told above.
  diag.setLogger(
    {
      error: () => undefined,
      warn: (message) => logger().debug({ detail: message.slice(0, 200) }, "OpenTelemetry"),
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    sampler: samplerOf(settings.sampler),
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.instance.id": newId() }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes({ "service.name": settings.service })),
    spanLimits: {
      attributeCountLimit: 32,
      attributeValueLengthLimit: maxValueLength,
      linkCountLimit: 0,
      eventCountLimit: 0,
    },
    spanProcessors: [
      counting,
      new BatchSpanProcessor({
        exporter: watched(new OTLPTraceExporter({})),
        maxQueueSize: settings.batch.queueSize,
        maxExportBatchSize: Math.min(settings.batch.batchSize, settings.batch.queueSize),
        scheduledDelayMillis: settings.batch.delayMs,
        exportTimeoutMillis: settings.batch.timeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer("tidings");
  return {
    active: new AsyncLocalStorage<Span>(),
    start: ({ name, kind, parent, startTime, attributes = {} }) => {
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: permitted(attributes),
          ...(startTime === undefined ? {} : { startTime }),
        },
        parent ? within(parent) : ROOT_CONTEXT,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      const sampled = isSampled(traceFlags);
      return {
        context: { traceId, spanId, sampled },
        set: (more) => {
          if (sampled) span.setAttributes(permitted(more));
        },
        fail: (type) => {
          if (!sampled) return;
          span.setAttribute("error.type", type);
          span.setStatus({ code: SpanStatusCode.ERROR });
        },
        end: () => {
          span.end();
        },
      };
    },
    stop: async (withinMs) => {
      const ended = provider.shutdown().catch(() => undefined);
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, withinMs, undefined);
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}

const remote = ({ traceId, spanId, sampled }: TraceContext) => ({
  traceId,
  spanId,
  traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

const within = (parent: TraceContext): Context => trace.setSpanContext(ROOT_CONTEXT, remote(parent));
