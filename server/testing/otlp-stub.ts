/** A collector on loopback: takes OTLP over HTTP, and reads its protobuf as opentelemetry-proto describes it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync } from "node:zlib";

export interface ReceivedSpan {
  /** Of the process that made it. */
  service: string;
  traceId: string;
  spanId: string;
  /** Empty: it began the trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, string | number | boolean>;
  failed: boolean;
}

interface Field {
  number: number;
  /** A number for varints and fixed ones, bytes for all else. */
  value: number | Buffer;
}

/** The fields of a message: enough of the encoding for what a collector is sent. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = tag >>> 3;
    const type = tag & 7;
    if (type === 0) yield { number, value: varint() };
    else if (type === 1) {
      yield { number, value: Number(bytes.readBigUInt64LE(at)) };
      at += 8;
    } else if (type === 5) {
      yield { number, value: bytes.readUInt32LE(at) };
      at += 4;
    } else if (type === 2) {
      const length = varint();
      yield { number, value: bytes.subarray(at, at + length) };
      at += length;
    } else throw new Error(`wire type ${String(type)} is not expected`);
  }
}

const all = (bytes: Buffer, number: number) =>
  [...fieldsOf(bytes)].flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );

function valueOf(bytes: Buffer): string | number | boolean {
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) return String(value);
    if (number === 2) return value === 1;
    if (number === 3) return Number(value);
    if (number === 4 && !Buffer.isBuffer(value)) {
      const double = Buffer.alloc(8);
      double.writeBigUInt64LE(BigInt(value));
      return double.readDoubleLE();
    }
  }
  return "";
}

const attributesOf = (message: Buffer, number: number) =>
  Object.fromEntries(
    all(message, number).map((pair) => [
      String(all(pair, 1)[0]),
      valueOf(all(pair, 2)[0] ?? Buffer.alloc(0)),
    ]),
  );

/** The spans of an ExportTraceServiceRequest. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const [resource] = all(resourceSpans, 1);
    const service = String(resource && attributesOf(resource, 1)["service.name"]);
    return all(resourceSpans, 2)
      .flatMap((scopeSpans) => all(scopeSpans, 2))
      .map((span) => {
        const hex = (number: number) => all(span, number)[0]?.toString("hex") ?? "";
        const status = all(span, 15)[0];
        return {
          service,
          traceId: hex(1),
          spanId: hex(2),
          parentSpanId: hex(4),
          name: String(all(span, 5)[0]),
          attributes: attributesOf(span, 9),
          failed:
            status !== undefined &&
            [...fieldsOf(status)].some(({ number, value }) => number === 3 && value === 2),
        };
      });
  });
}

export interface OtlpStub {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT takes it. */
  url: string;
  spans: ReceivedSpan[];
  /** Bodies as they came, decompressed. */
  bodies: Buffer[];
  close: () => Promise<void>;
}

/** @param answer replaces a collector that takes everything */
export async function startOtlpStub(
  answer: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end(),
): Promise<OtlpStub> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const sent = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      bodies.push(body);
      if (request.url === "/v1/traces") spans.push(...spansOf(body));
      answer(response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    spans,
    bodies,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Has this process export to a collector, if it reads its configuration after this. */
export function exportTo(url: string): void {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
  process.env.OTEL_BSP_SCHEDULE_DELAY = "50";
}
