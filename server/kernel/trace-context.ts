/** A position in a trace, as the header `traceparent` of W3C Trace Context says it. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  traceId: string;
  /** 16 of them. */
  spanId: string;
  /** Whether the trace is recorded. */
  sampled: boolean;
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/**
 * What a `traceparent` says; null when there is none or it is not valid, which the specification treats alike: the trace begins
 * here. Of later versions of the header what this one knows is read.
 */
export function parseTraceparent(header: string | null | undefined): TraceContext | null {
  if (!header || header.length > 256) return null;
  const match = shape.exec(header);
  if (!match) return null;
  const [known, version, traceId = "", spanId = "", flags = ""] = match;
  if (version === "ff" || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  const rest = header.slice(known.length);
  if (version === "00" ? rest !== "" : rest !== "" && !rest.startsWith("-")) return null;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 };
}

/** The header `traceparent` for a position. */
export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}
