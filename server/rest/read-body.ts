import type { IncomingMessage } from "node:http";
import { DomainError } from "../kernel/errors.ts";
import { parseJson } from "./parse-json.ts";

const empty = new Uint8Array(0);

function tooLarge(maxBytes: number): DomainError {
  return new DomainError("payload_too_large", `The body may have ${maxBytes} bytes.`);
}

/**
 * The body's bytes, never holding more than `maxBytes`. Throws `payload_too_large` as soon as that is clear, and
 * `invalid_json` when the caller ends the connection before the body.
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  const incoming = incomingOf(request);
  const body = incoming ? null : request.body;
  if (!incoming && body === null) return empty;
  try {
    if (incoming) return await readIncoming(incoming, maxBytes);
    // HTTP limits a body to its announced length, so this cannot grow beyond the limit.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    return body === null ? empty : await readChunks(body, maxBytes);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("invalid_json", "The body ended before it was complete.", { cause: error });
  }
}

/** Node's own request behind this one: reading it directly saves two streams. */
function incomingOf(request: Request): IncomingMessage | undefined {
  return (request as { runtime?: { node?: { req?: IncomingMessage } } }).runtime?.node?.req;
}

function readIncoming(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (incoming.readableEnded) return Promise.resolve(empty);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Uint8Array | Error) => {
      incoming.off("data", take).off("end", end).off("error", settle).off("close", broken);
      if (result instanceof Error) {
        // The rest is not read here; the front door discards it.
        incoming.pause();
        reject(result);
      } else {
        resolve(result);
      }
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle(tooLarge(maxBytes));
      else chunks.push(chunk);
    };
    const end = () => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const broken = () => settle(new Error("the connection was closed"));
    incoming.on("data", take).on("end", end).on("error", settle).on("close", broken);
    if (incoming.destroyed) broken();
  });
}

async function readChunks(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: the caller gets the answer now, however slowly the rest arrives.
      reader.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const [first] = chunks;
  if (chunks.length === 1 && first) return first;
  return Buffer.concat(chunks, size);
}

const json = /^application\/json[\t ]*(?:;[\t ]*charset=(?:utf-8|"utf-8")[\t ]*)?;?$/i;

/** Reads and parses a JSON body; undefined when it is empty and may be. */
export async function readJson(request: Request, maxBytes: number, optional: boolean): Promise<unknown> {
  const contentType = request.headers.get("content-type");
  // The usual value first: this runs for each message.
  const isJson = contentType === "application/json" || json.test(contentType ?? "");
  if (!isJson && !(optional && contentType === null)) throw notJson();
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "" && encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0 && optional) return undefined;
  if (!isJson) throw notJson();
  return parseJson(bytes);
}

/** What was sent to an operation without a body: undefined when it is empty, whatever type it says that it has. */
export async function readUnaskedJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  if (!json.test(request.headers.get("content-type") ?? "")) throw notJson();
  return parseJson(bytes);
}

function notJson(): DomainError {
  return new DomainError("unsupported_media_type", "Send the body as application/json in UTF-8.");
}
