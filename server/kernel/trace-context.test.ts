import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTraceparent, traceparentOf } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

describe("traceparent", () => {
  it("is read as W3C Trace Context says, and written as it was read", () => {
    for (const sampled of [true, false]) {
      const header = `00-${traceId}-${spanId}-0${sampled ? "1" : "0"}`;
      expect(parseTraceparent(header)).toEqual({ traceId, spanId, sampled });
      expect(traceparentOf({ traceId, spanId, sampled })).toBe(header);
    }
    // Other flags mean nothing to this version; later versions may add to the header.
    expect(parseTraceparent(`00-${traceId}-${spanId}-03`)?.sampled).toBe(true);
    expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)?.traceId).toBe(traceId);
  });

  it("counts as absent when it is not valid", () => {
    for (const header of [
      null,
      undefined,
      "",
      traceId,
      `00-${traceId}-${spanId}`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `01-${traceId}-${spanId}-01more`,
      `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
      `01-${traceId}-${spanId}-01-${"x".repeat(300)}`,
    ]) {
      expect(parseTraceparent(header), String(header)).toBeNull();
    }
  });

  it("of any text is either null or a context that can be written", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const context = parseTraceparent(text);
        expect(context === null || parseTraceparent(traceparentOf(context)) !== null).toBe(true);
      }),
    );
  });
});
