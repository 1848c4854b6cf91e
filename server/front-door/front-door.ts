import { createServer, STATUS_CODES } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { NodeRequest } from "srvx/node";
import { isTrustedProxy } from "../kernel/client-address.ts";
import type { ProxyRanges } from "../kernel/client-address.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isDraining } from "../kernel/lifecycle.ts";
import { logger } from "../kernel/log.ts";
import { counter, gauge } from "../kernel/metrics.ts";
import type { PathTree } from "../rest/path-tree.ts";
import { problemResponse } from "../rest/problem.ts";
import { servePath } from "../rest/serve-path.ts";
import { asDomainError, requestIdFrom } from "../rest/serve-route.ts";
import { Admission, admissionLimits, SharedSlots } from "./admission.ts";
import type { AdmissionLimits } from "./admission.ts";
import { resolveClientAddress, normalizeRequest } from "./normalize-request.ts";
import type { PackedFiles } from "./packed-files.ts";
import { drawPage } from "./page-requests.ts";
import { readTarget, ruleOf } from "./path-rules.ts";
import type { PathRule } from "./path-rules.ts";
import { commonHeaders, filePolicy } from "./security-headers.ts";
import { mayReuse, sendResponse } from "./send-response.ts";

/** Timeouts, in milliseconds. */
export interface FrontDoorTimeouts {
  /** From the start of a request, or of its connection, to the end of its headers. */
  headersMs: number;
  /** To the end of its body. */
  requestMs: number;
  /** Of a connection without a request. */
  keepAliveMs: number;
  /** Of a connection on which nothing moves in either direction, even during an answer. */
  silenceMs: number;
  /** How often the first two are checked. */
  checkMs: number;
}

export const defaultTimeouts: FrontDoorTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  silenceMs: 120_000,
  checkMs: 1_000,
};

export interface FrontDoorOptions {
  tree: PathTree;
  /** The portal's scripts and styles, as far as they are packed. */
  packedFiles?: PackedFiles;
  /** Answers all other paths. */
  portal: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  trustedProxies: ProxyRanges;
  limits?: Partial<AdmissionLimits>;
  times?: Partial<FrontDoorTimeouts>;
}

export interface FrontDoor {
  server: Server;
  /** Stops listening and waits for running requests, at most `graceMs`; then cuts off the rest. */
  close(graceMs: number): Promise<void>;
}

const refusals = counter(
  "tidings_http_refused_total",
  "Requests and connections that were turned away at the door",
  ["reason"],
);
const underWay = gauge("tidings_http_requests", "Requests under way");

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const withoutBody = new Set(["GET", "HEAD", "OPTIONS"]);
/** A host name or address with or without a port; nothing that a URL would interpret differently. */
const validHost = /^(?:[\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Why a request is refused before anything reads its body; undefined when it is not. */
function fault(request: IncomingMessage, rule: PathRule): DomainError | undefined {
  const { headers } = request;
  if (headers.host !== undefined && headers.host !== "" && !validHost.test(headers.host)) {
    return new DomainError("invalid_encoding", "The Host header is not a host.");
  }
  if (rule.to === "nobody") return notFound();
  const max = withoutBody.has(request.method ?? "GET") ? 0 : rule.maxBodyBytes;
  const announced = headers["content-length"];
  if (announced !== undefined && Number(announced) > max) {
    return new DomainError("payload_too_large", `The body may have ${max} bytes here.`);
  }
  // Our own handlers count what arrives; the portal reads whatever it is given.
  if (headers["transfer-encoding"] !== undefined && (max === 0 || rule.to === "portal")) {
    return new DomainError("payload_too_large", "The body has to say how long it is (Content-Length).");
  }
  return undefined;
}

/**
 * The only way into the web process. Every request first passes the guard, which reads no body: callers' addresses,
 * slots for requests, sizes by path. Then our own paths go to our handlers and all others to the portal.
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const limits = { ...admissionLimits, ...options.limits };
  const times = { ...defaultTimeouts, ...options.times };
  const admission = new Admission(limits);
  const connections = new SharedSlots(Infinity, limits.connectionsOfOne, limits.connectionsOfSite);
  const { tree, trustedProxies } = options;
  let closing = false;

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    reason: string,
    error: DomainError,
    headers: Record<string, string> = {},
  ): void {
    refusals.inc({ reason });
    const answer = problemResponse(error, requestIdFrom(request.headers["x-request-id"]), headers);
    settle(request, sendResponse(request, response, answer, mayReuse(request, 0)));
  }

  /** Not awaited; if the answer cannot be sent, its connection is of no use any more. */
  function settle(request: IncomingMessage, sending: Promise<void>): void {
    sending.catch((error: unknown) => {
      logger().error({ err: error }, "an answer could not be sent");
      request.socket.destroy();
    });
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    segments: readonly string[],
    rule: PathRule,
  ): Promise<void> {
    let answer: Response;
    try {
      answer = await servePath(tree, new NodeRequest({ req: request, res: response }), segments);
    } catch (error) {
      const requestId = requestIdFrom(request.headers["x-request-id"]);
      answer = problemResponse(asDomainError(error, "frontDoor", requestId), requestId);
    }
    await sendResponse(request, response, answer, mayReuse(request, rule.maxBodyBytes));
  }

  function forward(request: IncomingMessage, response: ServerResponse): void {
    // Next sets these for the paths it knows, but not on its own refusals and redirects.
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
    response.writeHead = (...args: unknown[]) => {
      for (const { key, value } of commonHeaders)
        if (!response.hasHeader(key)) response.setHeader(key, value);
      if (!response.hasHeader("content-security-policy")) {
        response.setHeader("content-security-policy", filePolicy);
      }
      return writeHead(...args);
    };
    if (options.packedFiles?.(request, response)) return;
    drawPage(request.headers.cookie, () => options.portal(request, response)).catch((error: unknown) => {
      logger().error({ err: error }, "the portal failed to answer");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  }

  function onRequest(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    if (closing || isDraining()) response.shouldKeepAlive = false;
    response.once("close", () => {
      // It was promised to be kept, before anybody knew.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    const address = resolveClientAddress(request, trustedProxies);
    const target = readTarget(request.url ?? "/");
    if (!target) {
      refuse(
        request,
        response,
        "target",
        new DomainError("invalid_encoding", "The request target is no path."),
      );
      return;
    }
    request.url = target.url;
    if (!methods.has(request.method ?? "")) {
      // Of a path of ours, what its OPTIONS and its own refusals say.
      const allow = options.tree.find(target.segments)?.endpoint.allow ?? [...methods].join(", ");
      const detail = `Allowed are ${allow}.`;
      refuse(request, response, "method", new DomainError("method_not_allowed", detail), { allow });
      return;
    }
    const rule = ruleOf(target.segments);
    const wrong = fault(request, rule);
    if (wrong) {
      refuse(request, response, wrong.code, wrong);
      return;
    }
    if (!rule.always) {
      const leave = admission.enter(address, rule.signIn && !withoutBody.has(request.method ?? ""));
      if (typeof leave === "string") {
        refuse(request, response, leave === "signIn" ? "sign_in_full" : `${leave}_full`, full(leave));
        return;
      }
      underWay.inc();
      response.once("close", () => {
        underWay.dec();
        leave();
      });
    }
    if (expectsContinue) response.writeContinue();
    if (rule.to === "handlers") {
      settle(request, serve(request, response, target.segments, rule));
    } else {
      normalizeRequest(request);
      forward(request, response);
    }
  }

  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.keepAliveMs,
      connectionsCheckingInterval: times.checkMs,
      noDelay: true,
    },
    (request, response) => onRequest(request, response, false),
  );
  server.timeout = times.silenceMs;
  server.maxConnections = limits.connections;
  server.on("drop", () => refusals.inc({ reason: "connections_full" }));
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    onRequest(request, response, true),
  );
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (isTrustedProxy(remoteAddress, trustedProxies)) return;
    const leave = connections.take(remoteAddress ?? null);
    if (typeof leave === "string") {
      refusals.inc({ reason: "caller_connections_full" });
      socket.destroy();
      return;
    }
    socket.once("close", leave);
  });
  server.on("clientError", answerClientError);

  return {
    server,
    async close(graceMs) {
      closing = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function full(what: "caller" | "process" | "signIn"): DomainError {
  return what === "caller"
    ? new DomainError("rate_limited", "Too many requests from your address are in progress.", {
        retryAfter: 1,
      })
    : new DomainError(
        "service_overloaded",
        what === "process"
          ? "Too many requests are in progress here; try again shortly."
          : "Too many people sign in at this moment; try again shortly.",
        { retryAfter: 1 },
      );
}

const clientErrors: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What cannot be parsed as a request, or takes too long to arrive. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = clientErrors[error.code ?? ""] ?? 400;
  refusals.inc({ reason: error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "timeout" : "unreadable" });
  // An answer that has begun cannot be followed by another one.
  const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true;
  if (!socket.writable || begun || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const reason = STATUS_CODES[status] ?? "";
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}
