import type { RestContract } from "../operations/operation.ts";
import { takesIdempotencyKey } from "./error-codes.ts";
import { requestExamples } from "./examples/requests.ts";

/** One sample, in the form of the extension `x-codeSamples`. */
export interface CodeSample {
  lang: "Shell" | "TypeScript" | "Python";
  label: string;
  source: string;
}

/** The operations that most begin with. Their samples run as they are; a test runs them. */
export const sampled: ReadonlySet<string> = new Set([
  "sendNotifications",
  "createNotification",
  "explainNotification",
  "getNotification",
  "listNotifications",
  "listEvents",
  "listTemplates",
  "createWebhook",
  "recordConsents",
  "upsertContacts",
  "addSuppressions",
  "listSuppressions",
]);

/** What a path parameter is in a sample: a variable of the environment. */
const variableOf = (name: string) => (name === "id" ? "ID" : name.toUpperCase());

/** Queries without which an operation cannot be called. */
const queries: Readonly<Record<string, string>> = { listSuppressions: "?address=ada%40example.com" };

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

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

/** An operation called by curl, and by what TypeScript and Python bring with them. */
export function codeSamples(
  contract: Pick<RestContract, "method" | "path" | "operationId" | "requestHeaders">,
): CodeSample[] {
  const { method, operationId } = contract;
  if (!sampled.has(operationId)) return [];
  const address = (variable: (name: string) => string) =>
    contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(variableOf(name))) +
    (queries[operationId] ?? "");
  const body = requestExamples[operationId];
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const once = takesIdempotencyKey(contract);
  const shell = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$TIDINGS_URL${address((name) => `$${name}`)}"`,
    '-H "Authorization: Bearer $TIDINGS_API_KEY"',
    ...(once ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    // No example has an apostrophe; a test says so.
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${json}'`]),
  ];
  const typescript = `const response = await fetch(\`\${process.env.TIDINGS_URL}${address((name) => `\${process.env.${name}}`)}\`, {
  method: "${method}",
  headers: {
    Authorization: \`Bearer \${process.env.TIDINGS_API_KEY}\`,${once ? '\n    "Idempotency-Key": crypto.randomUUID(),' : ""}${json === undefined ? "" : '\n    "Content-Type": "application/json",'}
  },${json === undefined ? "" : `\n  body: JSON.stringify(${indent(json, "  ")}),`}
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
  const pythonic = `import json, os, urllib.request${once ? ", uuid" : ""}

request = urllib.request.Request(
    f"{os.environ['TIDINGS_URL']}${address((name) => `{os.environ['${name}']}`)}",
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['TIDINGS_API_KEY']}",${once ? '\n        "Idempotency-Key": str(uuid.uuid4()),' : ""}${json === undefined ? "" : '\n        "Content-Type": "application/json",'}
    },${body === undefined ? "" : `\n    data=json.dumps(${python(body, "    ")}).encode(),`}
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
  return [
    { lang: "Shell", label: "curl", source: shell.join(" \\\n  ") },
    { lang: "TypeScript", label: "TypeScript", source: typescript },
    { lang: "Python", label: "Python", source: pythonic },
  ];
}
