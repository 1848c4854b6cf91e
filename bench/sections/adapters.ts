import type { OutboundMessage } from "../../server/adapters/adapter.ts";
import type { OutboundClient } from "../../server/kernel/outbound-http.ts";
import { httpProviders } from "../../server/testing/http-providers.ts";
import type { HttpProvider } from "../../server/testing/http-providers.ts";
import { measure } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";

const id = "0198c7a0-0000-7000-8000-000000000001";
const message: OutboundMessage = {
  tenantId: "0198c7a0-0000-7000-8000-00000000000a",
  notificationId: id,
  attempt: 1,
  channel: "email",
  to: "ada@example.com",
  senderId: "Shop <shop@example.org>",
  subject: "Your order A-1042 is on its way",
  text: "Hello Ada, your order is on its way.",
  html: `<!doctype html><html><body>${"<p>Hello Ada, your order is on its way.</p>".repeat(50)}</body></html>`,
  idempotencyKey: id,
  callbackUrl: "https://tidings.example/api/callbacks/0198c7a0-0000-7000-8000-00000000000c",
};

/** (i) The cost of an adapter without the network: this process's CPU time per message, with immediate answers. */
export async function adapters(run: Run): Promise<Measure[]> {
  const count = run.quick ? 1_000 : 5_000;
  const measures: Measure[] = [];
  for (const provider of httpProviders) {
    const cost = await cpuOf(provider, count);
    const name = [provider.adapter.label, provider.of].filter(Boolean).join(" ");
    measures.push(measure("i", `CPU of a message, ${name}`, cost, "ms", { at: "most", value: 0.3 }));
  }
  return measures;
}

/** CPU time of one message, user and system, ms; one-time preparation (a token, compiled code) is not counted. */
async function cpuOf(provider: HttpProvider, count: number): Promise<number> {
  const connection = provider.connection("https://provider.example");
  const deps = { http: answering(provider) };
  const send = async (times: number) => {
    for (let index = 0; index < times; index++) {
      const outcome = await provider.adapter.send(connection, { ...message, ...provider.message }, deps);
      if (outcome.kind !== "sent") throw new Error(`${provider.adapter.name}: ${outcome.detail}`);
    }
  };
  await send(500);
  const before = process.cpuUsage();
  await send(count);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
}

/** The provider without a network. */
function answering(provider: HttpProvider): OutboundClient {
  const request: OutboundClient["request"] = ({ method, url, headers = {}, body }) => {
    const given = { method, path: new URL(url).pathname, headers, body: String(body ?? "") };
    const answer = provider.answer(given);
    return Promise.resolve({
      status: answer.status,
      headers: answer.headers ?? {},
      body: Buffer.from(answer.body ?? ""),
      truncated: false,
    });
  };
  return { request } as OutboundClient;
}
