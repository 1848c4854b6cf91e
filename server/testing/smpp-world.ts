import { afterAll, afterEach } from "vitest";
import type { InboundMessage, OutboundMessage, Receipt } from "../adapters/adapter.ts";
import { smppSettingsSchema } from "../adapters/smpp/schemas.ts";
import type { SmppConnection } from "../adapters/smpp/smpp-bind.ts";
import { createSmppAdapter } from "../adapters/smpp/smpp.ts";
import { logger } from "../kernel/log.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { startFakeSmsc } from "./fake-smsc.ts";
import type { FakeSmsc } from "./fake-smsc.ts";
import { TEST_AUTHORITY } from "./tls-fixture.ts";

type Told = { receipts: Receipt[]; inbound: InboundMessage[] };

/**
 * For tests of the SMPP adapter: an adapter of their own, message centres that are closed after each test, and a
 * message.
 */
export function smppWorld() {
  const http = createOutboundClient({
    allow: ["127.0.0.0/8"],
    userAgent: "test/1.0",
    ca: TEST_AUTHORITY,
    resolver: (name) =>
      name.endsWith(".test") ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new Error("ENOTFOUND")),
  });
  const cleanUps: (() => unknown)[] = [];
  const world = {
    http,
    smpp: createSmppAdapter(),
    onEnd: (cleanUp: () => unknown): void => void cleanUps.push(cleanUp),
    smsc: async (options: Parameters<typeof startFakeSmsc>[0] = {}): Promise<FakeSmsc> => {
      const smsc = await startFakeSmsc(options);
      cleanUps.push(smsc.close);
      return smsc;
    },
    connection: (
      port: number,
      settings: Record<string, unknown> = {},
      password = "secret",
    ): SmppConnection => ({
      id: "c1",
      credentials: { systemId: "tidings", password },
      settings: smppSettingsSchema.parse({ host: "mail.test", port, security: "none", ...settings }),
    }),
    message: (more: Partial<OutboundMessage> = {}): OutboundMessage => ({
      tenantId: "0198c7a0-0000-7000-8000-00000000000a",
      notificationId: "0198c7a0-0000-7000-8000-000000000001",
      attempt: 1,
      channel: "sms",
      to: "+4915112345678",
      senderId: "Shop",
      text: "Hello",
      idempotencyKey: "0198c7a0-0000-7000-8000-000000000001",
      callbackUrl: "https://tidings.example/api/callbacks/c1",
      ...more,
    }),
    /** Listens over a connection and records the events; `answer` decides how they are acknowledged. */
    listen: (
      connection: SmppConnection,
      answer: (told: Told) => Promise<{ unmatched: number }> = matched,
    ) => {
      const told: Told[] = [];
      const listening = world.smpp.listen?.(connection, {
        http,
        log: logger(),
        onEvents: (what) => {
          told.push(what);
          return answer(what);
        },
      });
      cleanUps.push(() => listening?.close());
      return {
        told,
        receipts: () => told.flatMap((what) => what.receipts),
        inbound: () => told.flatMap((what) => what.inbound),
        close: async () => listening?.close(),
      };
    },
  };
  afterEach(async () => {
    await world.smpp.close?.();
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    world.smpp = createSmppAdapter();
  });
  afterAll(() => http.close());
  return world;
}

const matched = (): Promise<{ unmatched: number }> => Promise.resolve({ unmatched: 0 });
