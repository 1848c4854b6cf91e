/**
 * A server that speaks Twilio's messaging contract on loopback: for tests, and (bench/emulators/twilio.ts) for load
 * tests. It can be slow, broken and rude.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { twilioSignature } from "../adapters/twilio/twilio-signature.ts";

/** The fate of a message; everything but `ok` and `lost` leaves nothing behind at the "provider". */
export type FakeMode =
  | { kind: "ok" }
  /** Twilio's own error answer; `code` is Twilio's number. */
  | { kind: "error"; status: number; code?: number; message?: string; retryAfter?: string }
  /** Reads the request and never answers. The message counts as received. */
  | { kind: "hang" }
  /** Reads the request, stores the message and cuts the connection. */
  | { kind: "lost" }
  /** 201 with something that is not Twilio's JSON. The message counts as received. */
  | { kind: "garbage" };

export type FakeMessage = {
  sid: string;
  to: string;
  from: string | null;
  body: string | null;
  form: URLSearchParams;
  accountSid: string;
  authToken: string;
  statusCallback: string | null;
  /** Epoch ms at which the request was complete. */
  at: number;
};

export type FakeTwilioOptions = {
  port?: number;
  /** How long every answer takes, ms. */
  latencyMs?: number;
  mode?: FakeMode | ((message: FakeMessage) => FakeMode);
  /** Other credentials are answered with 401; without it every account exists. */
  account?: { accountSid: string; authToken: string };
  /** Called for each received message; replaces storing them in `messages`. */
  onMessage?: (message: FakeMessage) => void;
  /** Statuses posted to the message's StatusCallback after the answer, in this order. */
  callbacks?: string[];
};

export type FakeTwilio = {
  baseUrl: string;
  messages: FakeMessage[];
  /** Requests of any kind, refused ones included. */
  requests: () => number;
  setMode: (mode: NonNullable<FakeTwilioOptions["mode"]>) => void;
  /** Posts a signed status callback; resolves to the receiver's status code. */
  postStatus: (message: FakeMessage, status: string, fields?: Record<string, string>) => Promise<number>;
  /** Sets the answer for a Content template; without it the template does not exist. */
  setApproval: (sid: string, whatsapp: { status: string; rejection_reason?: string }) => void;
  close: () => Promise<void>;
};

export async function startFakeTwilio(options: FakeTwilioOptions = {}): Promise<FakeTwilio> {
  const run = randomBytes(8).toString("hex");
  const messages: FakeMessage[] = [];
  const approvals = new Map<string, { status: string; rejection_reason?: string }>();
  const sockets = new Set<Socket>();
  const callbackAgent = new Agent({ keepAlive: true, maxSockets: 64 });
  let mode = options.mode ?? { kind: "ok" };
  let counter = 0;
  let requests = 0;

  const postStatus = (
    message: FakeMessage,
    status: string,
    fields: Record<string, string> = {},
  ): Promise<number> => postCallback(callbackAgent, message, status, fields);

  const receive = (
    path: RegExpExecArray,
    body: string,
    request: IncomingMessage,
    at: number,
  ): FakeMessage => {
    const form = new URLSearchParams(body);
    counter += 1;
    const message: FakeMessage = {
      sid: `SM${run}${counter.toString(16).padStart(16, "0")}`,
      to: form.get("To") ?? "",
      from: form.get("From"),
      body: form.get("Body"),
      form,
      accountSid: path[1] ?? "",
      authToken: credentialsOf(request).authToken,
      statusCallback: form.get("StatusCallback"),
      at,
    };
    return message;
  };

  const answerMessage = (message: FakeMessage, request: IncomingMessage, response: ServerResponse): void => {
    const what = typeof mode === "function" ? mode(message) : mode;
    if (what.kind === "error") {
      const headers: Record<string, string> = {};
      if (what.retryAfter !== undefined) headers["retry-after"] = what.retryAfter;
      sendError(response, what.status, what.code, what.message ?? "Simulated error", headers);
      return;
    }
    if (options.onMessage) options.onMessage(message);
    else messages.push(message);
    if (what.kind === "hang") return;
    if (what.kind === "lost") return (request.socket.resetAndDestroy(), undefined);
    if (what.kind === "garbage") {
      response.writeHead(201, { "content-type": "text/html" }).end("<html>It works!</html>");
      return;
    }
    sendJson(response, 201, resource(message, "queued"));
    const { callbacks } = options;
    if (callbacks && message.statusCallback) void postAll(message, callbacks);
  };

  const postAll = async (message: FakeMessage, statuses: string[]): Promise<void> => {
    // A receiver that is down loses its callback, as it would with the real provider.
    for (const status of statuses) await postStatus(message, status).catch(() => 0);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, body: string, at: number): void => {
    const given = credentialsOf(request);
    const { account } = options;
    const known =
      !account || (given.accountSid === account.accountSid && given.authToken === account.authToken);
    if (!known || given.authToken === "") {
      sendError(response, 401, 20003, "Authenticate");
      return;
    }
    const url = request.url ?? "";
    const sendPath = /^\/2010-04-01\/Accounts\/(AC[0-9a-fA-F]{32})\/Messages\.json$/.exec(url);
    if (sendPath && request.method === "POST") {
      const message = receive(sendPath, body, request, at);
      const complaint = complaintAbout(message.form);
      if (complaint) {
        sendError(response, 400, complaint.code, complaint.message);
        return;
      }
      answerMessage(message, request, response);
      return;
    }
    const accountPath = /^\/2010-04-01\/Accounts\/(AC[0-9a-fA-F]{32})\.json$/.exec(url);
    if (accountPath && request.method === "GET") {
      sendJson(response, 200, { sid: accountPath[1], status: "active", friendly_name: "Fake" });
      return;
    }
    const approvalPath = /^\/v1\/Content\/(HX[0-9a-fA-F]{32})\/ApprovalRequests$/.exec(url);
    const approval = approvals.get(approvalPath?.[1] ?? "");
    if (approval && request.method === "GET") {
      if (typeof mode === "object" && mode.kind === "error") {
        sendError(response, mode.status, mode.code, mode.message ?? "Simulated error");
        return;
      }
      sendJson(response, 200, {
        sid: approvalPath?.[1],
        account_sid: given.accountSid,
        whatsapp: { type: "whatsapp", name: "fake", category: "UTILITY", rejection_reason: "", ...approval },
        url: `https://content.twilio.com${url}`,
      });
      return;
    }
    sendError(response, 404, 20404, "The requested resource was not found");
  };

  const server = createServer((request, response) => {
    requests += 1;
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const at = Date.now();
      if (options.latencyMs) setTimeout(() => handle(request, response, body, at), options.latencyMs);
      else handle(request, response, body, at);
    });
    request.on("error", () => undefined);
  });
  server.keepAliveTimeout = 30_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, "127.0.0.1", 4_096);
  await once(server, "listening");

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    requests: () => requests,
    setMode: (next) => {
      mode = next;
    },
    postStatus,
    setApproval: (sid, whatsapp) => void approvals.set(sid, whatsapp),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      callbackAgent.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function credentialsOf(request: IncomingMessage): { accountSid: string; authToken: string } {
  const [, encoded = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0
    ? { accountSid: "", authToken: "" }
    : { accountSid: text.slice(0, colon), authToken: text.slice(colon + 1) };
}

/** The checks of the real API that a wrong adapter would fail. */
function complaintAbout(form: URLSearchParams): { code: number; message: string } | null {
  const to = form.get("To") ?? "";
  if (to === "") return { code: 21604, message: "A 'To' phone number is required." };
  if (!/^(whatsapp:)?\+[1-9]\d{6,14}$/.test(to))
    return { code: 21211, message: `Invalid 'To' Phone Number: ${to}` };
  if (!form.has("From") && !form.has("MessagingServiceSid"))
    return { code: 21603, message: "A 'From' phone number is required." };
  if (!form.has("Body") && !form.has("ContentSid"))
    return { code: 21602, message: "Message body is required." };
  if ((form.get("Body") ?? "").length > 1_600)
    return { code: 21617, message: "The concatenated message body exceeds the 1600 character limit." };
  return null;
}

function resource(message: FakeMessage, status: string): Record<string, unknown> {
  const path = `/2010-04-01/Accounts/${message.accountSid}/Messages/${message.sid}.json`;
  return {
    account_sid: message.accountSid,
    api_version: "2010-04-01",
    body: message.body ?? "",
    date_created: new Date(message.at).toUTCString().replace("GMT", "+0000"),
    date_sent: null,
    date_updated: new Date(message.at).toUTCString().replace("GMT", "+0000"),
    direction: "outbound-api",
    error_code: null,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.form.get("MessagingServiceSid"),
    num_media: "0",
    num_segments: "1",
    price: null,
    price_unit: null,
    sid: message.sid,
    status,
    to: message.to,
    uri: path,
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function sendError(
  response: ServerResponse,
  status: number,
  code: number | undefined,
  message: string,
  headers: Record<string, string> = {},
): void {
  const more_info = `https://www.twilio.com/docs/errors/${code ?? status}`;
  sendJson(response, status, { code: code ?? null, message, more_info, status }, headers);
}

async function postCallback(
  agent: Agent,
  message: FakeMessage,
  status: string,
  fields: Record<string, string>,
): Promise<number> {
  if (!message.statusCallback) throw new Error("The message was sent without a StatusCallback");
  const form = new URLSearchParams({
    AccountSid: message.accountSid,
    ApiVersion: "2010-04-01",
    From: message.from ?? "",
    MessageSid: message.sid,
    MessageStatus: status,
    SmsSid: message.sid,
    SmsStatus: status,
    To: message.to,
    ...fields,
  });
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": twilioSignature(message.authToken, message.statusCallback, form),
  };
  const request = httpRequest(message.statusCallback, { method: "POST", agent, headers });
  request.end(form.toString());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response.statusCode ?? 0;
}
