/**
 * The fake message centre as a process of its own, for load tests: answers after a fixed latency, sends a receipt for
 * each message, and appends each received message to a file of its own, so that the count does not come from the system
 * under test.
 *
 *   node bench/emulators/smsc.ts --log received.ndjson [--latency 50] [--receipts DELIVRD]
 *
 * Prints `{"port":…}` when it listens. SIGTERM flushes the file and ends it. A line of the file:
 * `{"at":epochMs,"notification":"the recipient's number"}`; in the bench every message has a recipient of its own.
 */
import { parseArgs } from "node:util";
import { startFakeSmsc } from "../../server/testing/fake-smsc.ts";
import { openReceivedLog } from "./received-log.ts";

const { values } = parseArgs({
  options: {
    log: { type: "string" },
    latency: { type: "string", default: "50" },
    receipts: { type: "string" },
  },
});
if (values.log === undefined) throw new Error("--log <file> is required");

const received = openReceivedLog(values.log);

const fake = await startFakeSmsc({
  latencyMs: Number(values.latency),
  account: { systemId: "bench", password: "bench" },
  ...(values.receipts === undefined ? {} : { receipts: values.receipts }),
  onMessage: (message) => {
    received.note({ at: message.at, notification: message.destination });
  },
});
process.stdout.write(`${JSON.stringify({ port: fake.port })}\n`);

async function stop(): Promise<void> {
  await fake.close();
  received.close();
}

process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
