/**
 * The fake Twilio as a process of its own, for load tests: answers after a fixed latency and appends each received
 * message to a file of its own, so that the count does not come from the system under test.
 *
 *   node bench/emulators/twilio.ts --log received.ndjson [--port 0] [--latency 50] [--callbacks sent,delivered]
 *
 * Prints `{"baseUrl":"http://127.0.0.1:…"}` when it listens. SIGTERM flushes the file and ends it. A line of the file:
 * `{"at":epochMs,"sid":"SM…","to":"+…","notification":"uuid"|null,"attempt":"1"|null}`.
 */
import { parseArgs } from "node:util";
import { startFakeTwilio } from "../../server/testing/fake-twilio.ts";
import { openReceivedLog } from "./received-log.ts";

const { values } = parseArgs({
  options: {
    log: { type: "string" },
    port: { type: "string", default: "0" },
    latency: { type: "string", default: "50" },
    callbacks: { type: "string" },
  },
});
if (values.log === undefined) throw new Error("--log <file> is required");

const received = openReceivedLog(values.log);

const fake = await startFakeTwilio({
  port: Number(values.port),
  latencyMs: Number(values.latency),
  ...(values.callbacks === undefined ? {} : { callbacks: values.callbacks.split(",") }),
  onMessage: (message) => {
    const query = /[?&]notification=([^&]+)&attempt=([^&]+)/.exec(message.statusCallback ?? "");
    received.note({
      at: message.at,
      sid: message.sid,
      to: message.to,
      notification: query?.[1] ?? null,
      attempt: query?.[2] ?? null,
    });
  },
});
process.stdout.write(`${JSON.stringify({ baseUrl: fake.baseUrl })}\n`);

async function stop(): Promise<void> {
  await fake.close();
  received.close();
}

process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
