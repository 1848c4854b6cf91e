import type { IncomingMessage, ServerResponse } from "node:http";
import { sendNodeResponse } from "srvx/node";
import { dataPolicy, commonHeaders } from "./security-headers.ts";

/** For how long, and how much of it, the rest of a refused body is read so that its sender can read the answer. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 4 * 1_024 * 1_024;

const policyName = "content-security-policy";
const names = new Map(commonHeaders.map(({ key, value }) => [key.toLowerCase(), value]));
names.set(policyName, dataPolicy);
const namesAndValues = [...names].flat();

/** What srvx keeps of an answer made with its FastResponse: no Fetch object was built. */
interface Prepared {
  _toNodeResponse(): { status: number; headers: string[]; body: unknown };
}

function prepared(response: Response): ReturnType<Prepared["_toNodeResponse"]> | undefined {
  return "_toNodeResponse" in response ? (response as unknown as Prepared)._toNodeResponse() : undefined;
}

/** An answer of what was kept: reading that has emptied the one that it came from. */
function rebuilt({ status, headers, body }: ReturnType<Prepared["_toNodeResponse"]>): Response {
  const all = new Headers();
  for (let index = 0; index < headers.length; index += 2)
    all.append(headers[index] ?? "", headers[index + 1] ?? "");
  return new Response(body as BodyInit, { status, headers: all });
}

/** The security headers that an answer does not set itself. */
function missing(headers: readonly string[]): string[] {
  const own = headers.filter((name, index) => index % 2 === 0 && names.has(name));
  if (own.length === 0) return namesAndValues;
  return [...names].filter(([name]) => !own.includes(name)).flat();
}

/**
 * Whether the rest of a request's body is small, so that it may be read to its end and the connection reused. Larger
 * ones, and those of unknown length, end with their connection.
 * @param maxBodyBytes the limit of the path
 */
export function mayReuse(request: IncomingMessage, maxBodyBytes: number): boolean {
  if (request.complete) return true;
  const announced = request.headers["content-length"];
  return announced !== undefined && Number(announced) <= maxBodyBytes;
}

/**
 * Answers a request whose body will not be read. The answer goes out at once; then a bounded part of the body is read
 * and discarded, for callers who read only after writing; then the connection is closed.
 */
function sendAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { status: number; headers: string[]; body: string | Uint8Array },
): void {
  response.shouldKeepAlive = false;
  response.writeHead(answer.status, answer.headers);
  response.write(answer.body);
  let taken = 0;
  const end = () => {
    clearTimeout(timer);
    request.off("data", take).off("end", end).off("close", end);
    if (!response.writableEnded) response.end();
  };
  const take = (chunk: Buffer) => {
    taken += chunk.length;
    // From here on the connection holds the sender up, and it reads the answer or gives up.
    if (taken > LINGER_BYTES) request.pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on("data", take).once("end", end).once("close", end);
  request.resume();
}

/** Sends one of our answers, with the common headers. */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  reuse: boolean,
): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const known = prepared(answer);
  const body = known?.body ?? "";
  if (known && (typeof body === "string" || body instanceof Uint8Array)) {
    const headers = [...known.headers, ...missing(known.headers)];
    if (!reuse) {
      sendAndClose(request, response, { status: known.status, headers, body });
      return;
    }
    response.writeHead(known.status, headers);
    response.end(body);
    return;
  }
  if (!reuse) response.shouldKeepAlive = false;
  const streamed = known ? rebuilt(known) : answer;
  for (const [name, value] of names) if (!streamed.headers.has(name)) response.setHeader(name, value);
  if (request.method !== "HEAD") {
    await sendNodeResponse(response, streamed);
    return;
  }
  // Nobody takes it, so nobody would hold up whoever writes it, to its end.
  await streamed.body?.cancel();
  const { status, headers } = streamed;
  await sendNodeResponse(response, new Response(null, { status, headers }));
}
