/**
 * `npm run import-from -- novu|twilio`: templates, contacts and opt-outs from another service. docs/coming-from-novu.md and
 * docs/coming-from-twilio.md say what becomes of what.
 *
 * The other service's credentials come from the environment and are never printed; it is called through the guarded client. The
 * installation is TIDINGS_URL with TIDINGS_API_KEY; without them the quickstart of this checkout.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { goesOnCode, waitOf } from "../packages/sdk-ts/src/cli/templates.ts";
import { UsageError } from "../packages/sdk-ts/src/cli/usage-error.ts";
import { Tidings, TidingsError } from "../packages/sdk-ts/src/index.ts";
import { createOutboundClient } from "../server/kernel/outbound-http.ts";
import { notificationClassSchema } from "../server/tenancy/schemas.ts";
import { readCommandLine, Refused } from "./lib/command.ts";
import { carryOut } from "./lib/import-from/carry-out.ts";
import type { Call } from "./lib/import-from/carry-out.ts";
import { importBounds } from "./lib/import-from/found.ts";
import type { TypeMap } from "./lib/import-from/found.ts";
import { readNovu } from "./lib/import-from/novu.ts";
import { Source, isRecord } from "./lib/import-from/source.ts";
import { readTwilio } from "./lib/import-from/twilio.ts";
import { dataFolder } from "./lib/paths.ts";
import { readQuickstart } from "./lib/quickstart.ts";

const usage = `Usage:
  npm run import-from -- novu [--only templates,contacts,consent] [options]
  npm run import-from -- twilio [--only templates,consent] [--opt-outs file.csv] [options]

novu    reads an environment with NOVU_SECRET_KEY (NOVU_API_URL, default https://api.novu.co)
twilio  reads an account with TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; without them only --opt-outs

--dry-run              show what would be created and changed, and write nothing
--application webshop  the application that templates go to
--type order/shipped   the notification type and subtype of templates ...
--types types.json     ... or of each: { "order-shipped": "order/shipped" }; others are left out
--classes marketing,service
                       what an opt-out is recorded for
--opt-outs file.csv    twilio: opt-outs as its console exports them
--wait 600             how many seconds to wait while no template is saved; then the rest is imported, the templates
                       continue by themselves, and the exit code is 4

TIDINGS_URL and TIDINGS_API_KEY name the installation and a key that may write templates, contacts and consent;
without them the quickstart of this checkout is used. docs/coming-from-novu.md and docs/coming-from-twilio.md have more.`;

const { values, argument } = readCommandLine(
  usage,
  {
    only: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    application: { type: "string", default: "webshop" },
    type: { type: "string" },
    types: { type: "string" },
    classes: { type: "string", default: "marketing,service" },
    "opt-outs": { type: "string" },
    wait: { type: "string" },
  } as const,
  { novu: { needs: [] }, twilio: { needs: [] } },
);

const quickstart = readQuickstart(dataFolder());
const baseUrl = process.env.TIDINGS_URL ?? quickstart?.baseUrl ?? "http://localhost:3000";
const key = process.env.TIDINGS_API_KEY ?? (process.env.TIDINGS_URL ? undefined : quickstart?.keys.live);

/** The client waits and tries again where the key's rate is used up, as it soon is by a large import. */
function caller(): Call {
  if (!key) throw new Refused("Set TIDINGS_API_KEY to an API key of the installation.");
  const tenantId = process.env.TIDINGS_TENANT_ID ?? null;
  const tidings = new Tidings({ baseUrl, apiKey: key, tenantId, maxRetries: 8 });
  return <Answer>(method: "GET" | "POST", where: string, body?: unknown) =>
    tidings.request<Answer>(method, where, body === undefined ? {} : { body }).catch((error: unknown) => {
      if (!(error instanceof TidingsError)) throw error;
      throw new Refused(`${method} ${where}: ${error.message}`);
    });
}

function oneOf<Part extends string>(
  list: string,
  allowed: readonly Part[],
  option: string,
): ReadonlySet<Part> {
  const asked = list.split(",").map((one) => one.trim());
  const wrong = asked.filter((one) => !(allowed as readonly string[]).includes(one));
  if (wrong.length > 0) throw new Refused(`${option} takes ${allowed.join(", ")}, not ${wrong.join(", ")}.`);
  return new Set(asked as Part[]);
}

function readText(file: string): string {
  if (!existsSync(file)) throw new Refused(`There is no file ${file}.`);
  if (statSync(file).size > importBounds.bytes) throw new Refused(`${file} is larger than 32 MiB.`);
  return readFileSync(file, "utf8");
}

function readObject(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readText(file));
    if (isRecord(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused(`${file} has to be a JSON object, such as { "order-shipped": "order/shipped" }.`);
}

function typeMap(): TypeMap {
  const split = (text: string) => {
    const [, notificationType = "", notificationSubtype = ""] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
    if (notificationType === "") throw new Refused(`A type is written like order/shipped, not ${text}.`);
    return { notificationType, notificationSubtype };
  };
  const listed = values.types === undefined ? {} : readObject(values.types);
  const map = new Map(Object.entries(listed).map(([name, text]) => [name, split(String(text))]));
  const others = values.type === undefined ? null : split(values.type);
  return { of: (name) => map.get(name) ?? others };
}

const noSlash = (url: string) => url.replace(/\/$/, "");

try {
  const classes = [...oneOf(values.classes, notificationClassSchema.options, "--classes")];
  const types = typeMap();
  const waitMs = waitOf(values.wait);
  const call = caller();
  const allow = (process.env.OUTBOUND_ALLOW ?? "").split(",").filter(Boolean);
  const client = createOutboundClient({ allow, userAgent: "Tidings/1.0" });
  const { application } = values;
  const found = await (async () => {
    if (argument(0) === "novu") {
      const secret = process.env.NOVU_SECRET_KEY;
      if (!secret) throw new Refused("Set NOVU_SECRET_KEY to the secret key of the environment at Novu.");
      const all = ["templates", "contacts", "consent"] as const;
      return readNovu(new Source(client, { name: "Novu", authorization: `ApiKey ${secret}` }), {
        baseUrl: noSlash(process.env.NOVU_API_URL ?? "https://api.novu.co"),
        types,
        classes,
        parts: oneOf(values.only ?? all.join(","), all, "--only"),
      });
    }
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token } = process.env;
    if ((!sid || !token) && values["opt-outs"] === undefined)
      throw new Refused("Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, or name a file with --opt-outs.");
    const all = ["templates", "consent"] as const;
    const authorization = `Basic ${Buffer.from(`${sid ?? ""}:${token ?? ""}`).toString("base64")}`;
    return readTwilio(sid && token ? new Source(client, { name: "Twilio", authorization }) : null, {
      apiUrl: noSlash(process.env.TWILIO_API_URL ?? "https://api.twilio.com"),
      contentUrl: noSlash(process.env.TWILIO_CONTENT_URL ?? "https://content.twilio.com"),
      accountSid: sid ?? "",
      types,
      classes,
      parts: oneOf(values.only ?? all.join(","), all, "--only"),
      optOutsCsv: values["opt-outs"] === undefined ? undefined : readText(values["opt-outs"]),
    });
  })();
  const { lines, failed, goesOn } = await carryOut(call, found, {
    application,
    dryRun: values["dry-run"],
    waitMs,
    tell: (text) => {
      console.error(text);
    },
  });
  console.log(lines.join("\n"));
  if (values["dry-run"]) console.log("Nothing was written.");
  await client.close();
  process.exitCode = failed > 0 ? 1 : goesOn ? goesOnCode : 0;
} catch (error) {
  console.error(error instanceof Refused || error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
