import type { RestContract } from "../operations/operation.ts";
import { takesIdempotencyKey } from "./error-codes.ts";
import { requestExamples } from "./examples/requests.ts";

/** One sample, in the form of the extension `x-codeSamples`. */
export interface CodeSample {
  lang: "Shell" | "TypeScript" | "Python";
  label: string;
  source: string;
}

/** What of our clients an operation is: its method there, and what is done with the answer. */
interface Call {
  /** As in the TypeScript client. */
  method: string;
  /** What the answer is called: of a list, one of its items. */
  answer: string;
  isList?: boolean;
}

/** The operations that most begin with. Their samples run as they are; a test runs them. */
const calls: Readonly<Record<string, Call>> = {
  sendNotifications: { method: "send", answer: "sent" },
  createNotification: { method: "messages.create", answer: "message" },
  explainNotification: { method: "messages.explain", answer: "explained" },
  getNotification: { method: "messages.get", answer: "message" },
  listNotifications: { method: "messages.list", answer: "message", isList: true },
  listEvents: { method: "events.list", answer: "event", isList: true },
  listTemplates: { method: "templates.list", answer: "template", isList: true },
  createWebhook: { method: "webhooks.create", answer: "webhook" },
  recordConsents: { method: "consents.record", answer: "recorded" },
  upsertContacts: { method: "contacts.upsert", answer: "upserted" },
  addSuppressions: { method: "suppressions.add", answer: "added" },
  listSuppressions: { method: "suppressions.list", answer: "suppression", isList: true },
};
export const sampled: ReadonlySet<string> = new Set(Object.keys(calls));

/** What a path parameter is in a sample: a variable of the environment. */
const variableOf = (name: string) => (name === "id" ? "ID" : name.toUpperCase());

/** Queries without which an operation cannot be called. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // As addSuppressions has it in its example.
  listSuppressions: { address: "info@example.com" },
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** JSON as a literal of TypeScript: names without quotation marks where they need none. */
const typed = (value: unknown) =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");

/** JSON as a literal of Python. */
function python(value: unknown, by = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${by}    `;
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((item) => python(item, inner))]
    : [
        "{",
        "}",
        Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${python(item, inner)}`),
      ];
  return items.length === 0
    ? open + close
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${by}${close}`;
}

/** An operation called by curl, and by our clients for TypeScript and Python. */
export function codeSamples(
  contract: Pick<RestContract, "method" | "path" | "operationId" | "requestHeaders">,
): CodeSample[] {
  const { method, operationId } = contract;
  const call = calls[operationId];
  if (!call) return [];
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => variableOf(name));
  const query = queries[operationId];
  const address =
    contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`) +
    (query ? `?${new URLSearchParams(query).toString()}` : "");
  const body = requestExamples[operationId];
  const shell = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$TIDINGS_URL${address}"`,
    '-H "Authorization: Bearer $TIDINGS_API_KEY"',
    ...(takesIdempotencyKey(contract) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    // No example has an apostrophe; a test says so.
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  const inTypeScript = `tidings.${call.method}(${[
    ...names.map((name) => `process.env.${name}!`),
    ...[query, body].filter((given) => given !== undefined).map(typed),
  ].join(", ")})`;
  const inPython = `tidings.${snake(call.method)}(${[
    ...names.map((name) => `os.environ["${name}"]`),
    ...Object.entries(query ?? {}).map(([name, value]) => `${name}=${python(value)}`),
    ...(body === undefined ? [] : [python(body)]),
  ].join(", ")})`;
  const { answer } = call;
  const typescript = `import { Tidings } from "tidings";

const tidings = new Tidings(); // TIDINGS_URL, TIDINGS_API_KEY and TIDINGS_TENANT_ID
${
  call.isList
    ? `for await (const ${answer} of ${inTypeScript}) console.log(${answer});`
    : `const ${answer} = await ${inTypeScript};\nconsole.log(${answer});`
}`;
  const pythonic = `${names.length > 0 ? "import os\n\n" : ""}from tidings import Tidings

tidings = Tidings()  # TIDINGS_URL, TIDINGS_API_KEY and TIDINGS_TENANT_ID
${
  call.isList
    ? `for ${answer} in ${inPython}:\n    print(${answer})`
    : `${answer} = ${inPython}\nprint(${answer})`
}`;
  return [
    { lang: "Shell", label: "curl", source: shell.join(" \\\n  ") },
    { lang: "TypeScript", label: "TypeScript", source: typescript },
    { lang: "Python", label: "Python", source: pythonic },
  ];
}
