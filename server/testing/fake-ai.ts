/**
 * A server that speaks OpenAI's contract on loopback: chat completions (plain, structured, streamed with usage) and
 * moderations. It answers by script, can be slow, broken and rude, and records its requests.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What the fake does with a request. */
export type FakeAnswer =
  /** The assistant's text; streamed in pieces when the request asks for a stream. */
  | { kind: "text"; text: string; usage?: { input: number; output: number } | null }
  /** As `text`, with this value as JSON: a structured answer. */
  | { kind: "json"; value: unknown }
  /** A stream of this text that then stalls, until the caller goes away or the fake closes. */
  | { kind: "stall"; text: string }
  /** A stream, or answer, that breaks off after this text. */
  | { kind: "break"; text: string }
  /** The model declines. */
  | { kind: "refusal"; text: string }
  /** Reads the request and never answers. */
  | { kind: "hang" }
  /** Reads the request and resets the connection. */
  | { kind: "reset" }
  | { kind: "error"; status: number; message?: string; retryAfter?: string }
  /** These bytes as they are, with status 200. */
  | { kind: "raw"; body: string; contentType?: string }
  /** What moderation finds in each text: names of categories. */
  | { kind: "moderation"; flag: (text: string) => string[] };

export interface FakeAiRequest {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
  /** Texts of the messages, or of the moderation's input. */
  texts: string[];
  /** Resolves when the caller has closed the connection before the answer was complete. */
  gone: Promise<void>;
}

export interface FakeAi {
  /** For AI_BASE_URL; ends in /v1. */
  baseUrl: string;
  requests: readonly FakeAiRequest[];
  /** The answers to the next chat completions, in turn; afterwards the standing one again. */
  next: (...answers: FakeAnswer[]) => void;
  /** The default answer to chat completions; a function is called for each. */
  always: (answer: FakeAnswer | ((request: FakeAiRequest) => FakeAnswer)) => void;
  /** The default answer to moderations; nothing is flagged without it. */
  moderations: (answer: FakeAnswer) => void;
  /** Holds every answer back by so much, ms. */
  delay: (milliseconds: number) => void;
  /** Resolves with the next request. */
  nextRequest: () => Promise<FakeAiRequest>;
  /** Forgets requests and scripts. */
  reset: () => void;
  close: () => Promise<void>;
}

const categories = [
  "hate",
  "hate/threatening",
  "harassment",
  "harassment/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
];
const created = 1_800_000_000;

/** @param options.apiKey when given, other keys are refused with 401, and the answer quotes them as OpenAI's does. */
export async function startFakeAi(
  options: { port?: number; apiKey?: string; pieceLength?: number } = {},
): Promise<FakeAi> {
  const requests: FakeAiRequest[] = [];
  const queue: FakeAnswer[] = [];
  const sockets = new Set<Socket>();
  const waiting: ((request: FakeAiRequest) => void)[] = [];
  let standing: FakeAnswer | ((request: FakeAiRequest) => FakeAnswer) = { kind: "text", text: "Hello." };
  let moderation: FakeAnswer = { kind: "moderation", flag: () => [] };
  let delayMs = 0;

  const answer = (request: FakeAiRequest, incoming: IncomingMessage, response: ServerResponse): void => {
    const key = /^Bearer (.+)$/.exec(request.authorization ?? "")?.[1];
    if (options.apiKey !== undefined && key !== options.apiKey) {
      sendError(response, 401, `Incorrect API key provided: ${key ?? "none"}.`);
      return;
    }
    const isChat = request.path === "/v1/chat/completions";
    if (!isChat && request.path !== "/v1/moderations") {
      sendError(response, 404, `Invalid URL (POST ${request.path})`);
      return;
    }
    const chat = (): FakeAnswer =>
      queue.shift() ?? (typeof standing === "function" ? standing(request) : standing);
    const chosen = isChat ? chat() : moderation;
    switch (chosen.kind) {
      case "hang":
        return;
      case "reset":
        incoming.socket.resetAndDestroy();
        return;
      case "error":
        sendError(response, chosen.status, chosen.message ?? "The server had an error", chosen.retryAfter);
        return;
      case "raw":
        response.writeHead(200, { "content-type": chosen.contentType ?? "application/json" });
        response.end(chosen.body);
        return;
      case "moderation":
        sendJson(response, 200, moderationOf(request, chosen.flag));
        return;
      default:
        if (request.body.stream === true) stream(request, response, chosen, options.pieceLength ?? 7);
        else whole(request, response, chosen);
    }
  };

  const server = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => (body += chunk));
    incoming.on("error", () => undefined);
    incoming.on("end", () => {
      const request = remember(incoming, response, body);
      requests.push(request);
      waiting.shift()?.(request);
      if (delayMs > 0) setTimeout(() => answer(request, incoming, response), delayMs);
      else answer(request, incoming, response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    requests,
    next: (...answers) => void queue.push(...answers),
    always: (next) => {
      standing = next;
    },
    moderations: (next) => {
      moderation = next;
    },
    delay: (milliseconds) => {
      delayMs = milliseconds;
    },
    nextRequest: () => new Promise((come) => void waiting.push(come)),
    reset: () => {
      requests.length = 0;
      queue.length = 0;
      standing = { kind: "text", text: "Hello." };
      moderation = { kind: "moderation", flag: () => [] };
      delayMs = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function remember(incoming: IncomingMessage, response: ServerResponse, text: string): FakeAiRequest {
  const body = JSON.parse(text) as Record<string, unknown>;
  const messages = (body.messages ?? []) as { content: string }[];
  const input = typeof body.input === "string" ? [body.input] : ((body.input ?? []) as string[]);
  return {
    path: incoming.url ?? "",
    authorization: incoming.headers.authorization,
    body,
    texts: [...messages.map(({ content }) => content), ...input],
    gone: new Promise((resolve) => {
      response.on("close", () => {
        if (!response.writableEnded) resolve();
      });
    }),
  };
}

type Spoken = Extract<FakeAnswer, { kind: "text" | "json" | "stall" | "break" | "refusal" }>;

const textOf = (answer: Spoken): string =>
  answer.kind === "json" ? JSON.stringify(answer.value) : answer.text;

/** Without a word of the script, four characters a token. */
function usageOf(request: FakeAiRequest, answer: Spoken) {
  if (answer.kind === "text" && answer.usage === null) return undefined;
  const given = answer.kind === "text" ? answer.usage : undefined;
  const input = given?.input ?? Math.ceil(request.texts.join("").length / 4);
  const output = given?.output ?? Math.ceil(textOf(answer).length / 4);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function whole(request: FakeAiRequest, response: ServerResponse, answer: Spoken): void {
  const refused = answer.kind === "refusal";
  const message = {
    role: "assistant",
    content: refused ? null : textOf(answer),
    refusal: refused ? answer.text : null,
  };
  const body = JSON.stringify({
    id: "chatcmpl-fake",
    object: "chat.completion",
    created,
    model: request.body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: usageOf(request, answer),
  });
  response.writeHead(200, { "content-type": "application/json" });
  if (answer.kind === "stall" || answer.kind === "break") {
    response.write(body.slice(0, body.length / 2));
    if (answer.kind === "break") response.socket?.resetAndDestroy();
    return;
  }
  response.end(body);
}

function stream(request: FakeAiRequest, response: ServerResponse, answer: Spoken, pieceLength: number): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const send = (choices: unknown[], usage: unknown = null): void => {
    const chunk = {
      id: "chatcmpl-fake",
      object: "chat.completion.chunk",
      created,
      model: request.body.model,
      choices,
      usage,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const say = (delta: Record<string, unknown>, finish: string | null = null): void =>
    send([{ index: 0, delta, logprobs: null, finish_reason: finish }]);

  say({ role: "assistant", content: "", refusal: null });
  const member = answer.kind === "refusal" ? "refusal" : "content";
  const text = textOf(answer);
  for (let at = 0; at < text.length; at += pieceLength) say({ [member]: text.slice(at, at + pieceLength) });
  if (answer.kind === "stall") return;
  if (answer.kind === "break") {
    // A reset would overtake what was written.
    response.write("", () => response.socket?.destroySoon());
    return;
  }
  say({}, "stop");
  const wanted = request.body.stream_options as { include_usage?: boolean } | undefined;
  const usage = usageOf(request, answer);
  if (wanted?.include_usage === true && usage) send([], usage);
  response.end("data: [DONE]\n\n");
}

function moderationOf(request: FakeAiRequest, flag: (text: string) => string[]): unknown {
  return {
    id: "modr-fake",
    model: request.body.model,
    results: request.texts.map((text) => {
      const found = new Set(flag(text));
      const each = <T>(value: (hit: boolean) => T) =>
        Object.fromEntries(categories.map((name) => [name, value(found.has(name))]));
      return {
        flagged: found.size > 0,
        categories: each((hit) => hit),
        category_scores: each((hit) => (hit ? 0.95 : 0.001)),
        category_applied_input_types: each(() => ["text"]),
      };
    }),
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string, retryAfter?: string): void {
  const type = status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error";
  sendJson(
    response,
    status,
    { error: { message, type, param: null, code: status === 401 ? "invalid_api_key" : null } },
    retryAfter === undefined ? {} : { "retry-after": retryAfter },
  );
}
