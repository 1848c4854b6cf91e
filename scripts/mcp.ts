/**
 * `npm run mcp --silent`: the Model Context Protocol on standard input and output, for clients that start a program. The installation is
 * TIDINGS_URL with TIDINGS_API_KEY; without them the quickstart of this checkout.
 */
import { carryMcp } from "../packages/sdk-ts/src/cli/mcp-stdio.ts";
import { dataFolder } from "./lib/paths.ts";
import { readQuickstart } from "./lib/quickstart.ts";

const quickstart = readQuickstart(dataFolder());
const baseUrl = process.env.TIDINGS_URL ?? quickstart?.baseUrl ?? "http://localhost:3000";
const apiKey = process.env.TIDINGS_API_KEY ?? (process.env.TIDINGS_URL ? undefined : quickstart?.keys.live);
if (apiKey) {
  await carryMcp({
    baseUrl,
    apiKey,
    input: process.stdin as AsyncIterable<Uint8Array>,
    write: (line) => process.stdout.write(`${line}\n`),
  });
} else {
  process.stderr.write("Set TIDINGS_API_KEY to an API key of the installation.\n");
  process.exitCode = 1;
}
