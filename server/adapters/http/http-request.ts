/** The request that a connection's templates make of a message. */
import { parseLines } from "./http-settings.ts";
import { parseTemplate, renderTemplate, requestBudget, templateProblem } from "./http-template.ts";
import type { ParsedTemplate, Place } from "./http-template.ts";
import type { HttpSettings } from "./schemas.ts";

type RequestSettings = Pick<HttpSettings, "method" | "url" | "headers" | "contentType" | "body">;

export type BuiltRequest = {
  method: HttpSettings["method"];
  url: string;
  headers: Record<string, string>;
  body?: string;
};

/** What the protocol itself says, or what would let a request be read in two ways. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const places: Readonly<Record<HttpSettings["contentType"], Place>> = {
  "application/json": "json",
  "application/x-www-form-urlencoded": "form",
  "application/xml": "xml",
  "text/plain": "text",
};

type Compiled = { url: ParsedTemplate; headers: [string, ParsedTemplate][]; body: ParsedTemplate | null };

const compiled = new WeakMap<RequestSettings, Compiled>();

/** Throws RequestProblem for what is no Liquid. */
function compile(settings: RequestSettings): Compiled {
  let known = compiled.get(settings);
  if (!known) {
    const parse = (part: RequestProblem["part"], source: string, place: Place): ParsedTemplate => {
      try {
        return parseTemplate(source, place);
      } catch (error) {
        throw new RequestProblem(part, templateProblem(error));
      }
    };
    known = {
      url: parse("url", settings.url, "url"),
      headers: [...(parseLines(settings.headers, ":") ?? [])].map(([name, value]) => [
        name,
        parse("headers", value, "header"),
      ]),
      body: settings.method === "GET" ? null : parse("body", settings.body, places[settings.contentType]),
    };
    compiled.set(settings, known);
  }
  return known;
}

/** The secrets of a connection by name; those whose names Liquid cannot say are never used. */
export function secretsOf(text: string): Record<string, string> {
  return Object.fromEntries(parseLines(text, "=") ?? []);
}

/**
 * Whether a template of the address or the body names the secrets. They belong in headers: a body may be
 * shown to the message's recipient, and addresses are logged along the way.
 */
function namesSecrets(source: string): boolean {
  return source.includes("secrets");
}

/** Where the templates name secrets and may not, for settings that are to be saved. */
export function misplacedSecrets(
  settings: Pick<HttpSettings, "url" | "body">,
): { path: string; message: string }[] {
  return (["url", "body"] as const)
    .filter((path) => namesSecrets(settings[path]))
    .map((path) => ({
      path,
      message:
        "Secrets may stand in headers only: put {{ secrets.… }} into a header, such as Authorization, and take the word out here",
    }));
}

/** A message that no request can be made of; `problem` holds no value of it. */
export class RequestProblem extends Error {
  readonly part: "url" | "headers" | "body";
  constructor(part: "url" | "headers" | "body", problem: string) {
    super(problem);
    this.part = part;
  }
}

/**
 * Renders URL, headers and body, all of them within one budget of time, steps and memory. Throws RequestProblem.
 * @param given what a template sees; `secrets` is for headers, and for an address or a body that was saved when these could
 * name them
 */
export function buildRequest(settings: RequestSettings, given: Record<string, unknown>): BuiltRequest {
  const { secrets: _, ...message } = given;
  const { url, headers, body } = compile(settings);
  const budget = requestBudget();
  const render = (part: RequestProblem["part"], template: ParsedTemplate): string => {
    const values = part === "headers" || namesSecrets(settings[part]) ? given : message;
    try {
      return renderTemplate(template, values, budget);
    } catch (error) {
      throw new RequestProblem(part, templateProblem(error));
    }
  };
  const address = render("url", url).trim();
  if (!URL.canParse(address) || /[\s\p{Cc}]/u.test(address))
    throw new RequestProblem("url", "It does not become an address.");
  // Also when encoded, two dots lead a step up (WHATWG URL, double-dot path segment).
  if (pathOf(address).some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    throw new RequestProblem("url", "A part of its path would lead elsewhere.");
  const request: BuiltRequest = { method: settings.method, url: address, headers: {} };
  for (const [name, template] of headers) {
    const value = render("headers", template).trim();
    // RFC 9110 §5.5: what is not ASCII has no agreed meaning.
    if (!/^[\x20-\x7e]*$/.test(value))
      throw new RequestProblem("headers", `The header ${name} would hold characters other than ASCII.`);
    request.headers[name] = value;
  }
  if (body) {
    request.headers["content-type"] = `${settings.contentType}; charset=utf-8`;
    request.body = render("body", body);
    if (settings.contentType === "application/json") {
      try {
        JSON.parse(request.body);
      } catch {
        throw new RequestProblem(
          "body",
          "It does not become JSON. Values stand within quotes, “{{ text }}”, or are written as {{ text | json }}.",
        );
      }
    }
  }
  return request;
}

function pathOf(address: string): string[] {
  return (/^[^?#]*/.exec(address)?.[0] ?? "").split(/[/\\]/).slice(3);
}

/** Each name of what a message offers, and an example. `null`: not every message has it. */
export const exampleValues = {
  to: "+4915112345678",
  from: "Tidings",
  channel: "sms",
  text: "Your order 4711 is on its way.",
  subject: "Your order",
  html: "<p>Your order 4711 is on its way.</p>",
  replyTo: "shop@example.com",
  templateName: "order_status",
  templateLanguage: "en",
  templateVariables: { "1": "4711" },
  notificationId: "0198c7a0-0000-7000-8000-000000000001",
  attempt: 1,
  idempotencyKey: "0198c7a0-0000-7000-8000-000000000001",
  expiresAt: "2027-01-01T00:00:00.000Z",
  callbackUrl: "https://tidings.example/api/callbacks/0198c7a0-0000-7000-8000-0000000000aa",
};
export type RequestValues = { [Name in keyof typeof exampleValues]: (typeof exampleValues)[Name] | null };

/** Any secret that a template names, as its name in brackets: for showing a request, and for checking one. */
export const maskedSecrets: Record<string, string> = new Proxy(
  {},
  {
    has: () => true,
    get: (_, name) => (typeof name === "string" ? `[${name}]` : undefined),
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === "string"
        ? { value: `[${name}]`, configurable: true, enumerable: true, writable: false }
        : undefined,
  },
);

/** Ends a JSON text, a form field, an element and a line wherever it is not encoded. */
const hostile = `"'\\<>&=;%\r\n\u2028{}[],: +`;

export type SettingProblem = { path: "url" | "headers" | "body"; message: string };

/** What is wrong with where a request goes and what it says for the protocol, whatever its Liquid is. Renders nothing. */
export function checkFrame(settings: Pick<RequestSettings, "url" | "headers">): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const add = (path: SettingProblem["path"], message: string) => problems.push({ path, message });
  // Where secrets are sent is the administrator's to say, never a message's.
  if (!/^https?:\/\/[^\s/?#{}@\\]+([/?#]|$)/i.test(settings.url))
    add("url", "It begins with http:// or https:// and a host without Liquid and without a password");
  for (const [name] of parseLines(settings.headers, ":") ?? []) {
    if (ownHeaders.has(name.toLowerCase())) add("headers", `${name} is set by the protocol`);
  }
  return problems;
}

/** Headers of a request; what the protocol itself adds is not counted. */
const mostHeaders = 32;

/**
 * What is wrong with a connection's templates: Liquid, variables, and places where a value could change the meaning of the
 * request. Whatever a message holds, the JSON of every request has the shape that the template has. Makes five requests, so it
 * is for settings that are to be saved, not for those that are loaded.
 */
export function checkRequest(given: RequestSettings): SettingProblem[] {
  // Parsed once for all tries, and not kept.
  const settings = { ...given };
  const problems: SettingProblem[] = [];
  const add = (path: SettingProblem["path"], message: string) => problems.push({ path, message });
  if ((parseLines(settings.headers, ":")?.size ?? 0) > mostHeaders) {
    add("headers", `There are more than ${String(mostHeaders)} headers`);
    return problems;
  }
  const hostileMessage = Object.fromEntries(
    Object.entries(exampleValues).map(([name, value]) => [name, typeof value === "string" ? hostile : value]),
  );
  const nothing = Object.fromEntries(Object.keys(exampleValues).map((name) => [name, null]));
  const { templateVariables } = exampleValues;
  const tries: { values: Record<string, unknown>; bodyOnly: boolean }[] = [
    { values: exampleValues, bodyOnly: false },
    // Headers may not hold everything that a message may; that is judged message by message.
    ...["sms", "email", "whatsapp"].map((channel) => ({
      values: { ...hostileMessage, channel },
      bodyOnly: true,
    })),
    // Few messages have everything. Whoever names a single template variable says that there is one.
    { values: { ...nothing, templateVariables }, bodyOnly: false },
  ];
  for (const { values, bodyOnly } of tries) {
    try {
      buildRequest(settings, { ...values, secrets: maskedSecrets });
    } catch (error) {
      if (!(error instanceof RequestProblem)) throw error;
      if (bodyOnly && error.part !== "body") continue;
      add(error.part, error.message);
      return problems;
    }
  }
  return problems;
}
