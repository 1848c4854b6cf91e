import path from "node:path";
import { z } from "zod";
import { readJson, writePrivateJson } from "./private-file.ts";

/** What a user needs of a Tidings that `npm start` has set up. */
export const quickstartSchema = z.object({
  baseUrl: z.url(),
  tenantId: z.uuid(),
  email: z.string(),
  password: z.string(),
  /** A second person, with an API key, who may approve the first one's promotions. Older installations have none. */
  reviewer: z.object({ email: z.string(), password: z.string(), key: z.string().optional() }).optional(),
  keys: z.object({ live: z.string(), sandbox: z.string() }),
  /** Address of the mailbox that shows what the demo tenant's e-mails became. */
  mailbox: z.url(),
  /** A request that sends a first message with either key; `transactionId` is to be replaced. */
  example: z.object({ method: z.string(), path: z.string(), body: z.record(z.string(), z.unknown()) }),
});

export type Quickstart = z.infer<typeof quickstartSchema>;

const fileIn = (dataDir: string) => path.join(dataDir, "quickstart.json");

/** Reads DATA_DIR/quickstart.json; undefined when there is none, or one of another version. */
export function readQuickstart(dataDir: string): Quickstart | undefined {
  return quickstartSchema.safeParse(readJson(fileIn(dataDir))).data;
}

/** Writes DATA_DIR/quickstart.json (mode 0600). */
export function writeQuickstart(dataDir: string, quickstart: Quickstart): void {
  writePrivateJson(fileIn(dataDir), quickstartSchema.parse(quickstart));
}

/** A shell command that sends the example once; each run of it has a transaction id of its own. */
export function curlOf({ baseUrl, keys, example }: Quickstart): string {
  const body = JSON.stringify({ ...example.body, transactionId: "TRANSACTION" })
    .replaceAll("'", String.raw`'\''`)
    .replace("TRANSACTION", `first-'"$(date +%s)"'`);
  return [
    `curl -i -X ${example.method} ${baseUrl}${example.path}`,
    `-H 'Authorization: Bearer ${keys.live}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(" \\\n    ");
}
