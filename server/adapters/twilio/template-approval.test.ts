import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { startFakeTwilio } from "../../testing/fake-twilio.ts";
import type { FakeTwilio } from "../../testing/fake-twilio.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Connection } from "../adapter.ts";
import { simulatorAdapter } from "../simulator/simulator.ts";
import type { TwilioCredentials, TwilioSettings } from "./schemas.ts";
import { twilioAdapter } from "./twilio.ts";

const credentials: TwilioCredentials = { accountSid: `AC${"1a".repeat(16)}`, authToken: "s3cret-token" };
const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
afterAll(() => http.close());

const connection = (baseUrl: string): Connection<TwilioCredentials, TwilioSettings> => ({
  id: "c1",
  credentials,
  settings: { region: "us1", baseUrl },
});
const template = `HX${"3c".repeat(16)}`;
const ask = (baseUrl: string, name = template) =>
  twilioAdapter.fetchTemplateApproval?.(
    connection(baseUrl),
    { template: name, language: "en", known: null },
    { http, timeoutMs: 5_000 },
  );

describe("the approval of a WhatsApp template at Twilio", () => {
  let twilio: FakeTwilio;
  beforeAll(async () => {
    twilio = await startFakeTwilio({ account: credentials });
  });
  afterAll(() => twilio.close());

  it.each([
    ["unsubmitted", "unsubmitted", null],
    ["received", "pending", null],
    ["pending", "pending", null],
    ["approved", "approved", null],
    ["paused", "paused", null],
    ["disabled", "paused", "WhatsApp has disabled the template."],
  ])("%s is told as %s", async (said, status, reason) => {
    twilio.setApproval(template, { status: said });
    expect(await ask(twilio.baseUrl)).toEqual({ status, reason });
  });

  it("comes with the reason of a rejection", async () => {
    twilio.setApproval(template, { status: "rejected", rejection_reason: "TAG_CONTENT_MISMATCH" });
    expect(await ask(twilio.baseUrl)).toEqual({ status: "rejected", reason: "TAG_CONTENT_MISMATCH" });
  });

  it("is not known of other names and of content that does not exist", async () => {
    const before = twilio.requests();
    expect(await ask(twilio.baseUrl, "order_shipped")).toBeNull();
    expect(twilio.requests()).toBe(before);
    expect(await ask(twilio.baseUrl, `HX${"00".repeat(16)}`)).toBeNull();
  });

  it("is a problem, never a status, when the provider does not answer well", async () => {
    twilio.setMode({ kind: "error", status: 500 });
    expect(await ask(twilio.baseUrl)).toEqual({ problem: "Twilio answered with status 500" });
    twilio.setMode({ kind: "error", status: 401, code: 20003 });
    expect(await ask(twilio.baseUrl)).toHaveProperty("problem");
    expect(await ask("http://127.0.0.1:1")).toHaveProperty("problem");
    twilio.setMode({ kind: "ok" });
    twilio.setApproval(template, { status: "in_heaven" });
    expect(await ask(twilio.baseUrl)).toHaveProperty("problem");
  });
});

describe("the approval of a WhatsApp template in the simulator", () => {
  const decide = (name: string, known: "pending" | null) =>
    simulatorAdapter.fetchTemplateApproval?.(
      { id: "c1", credentials: { signingKey: "0123456789abcdef" }, settings: {} },
      { template: name, language: null, known },
      { http },
    );

  it("is pending first, and then decided by the name", async () => {
    expect(await decide("order", null)).toEqual({ status: "pending", reason: null });
    expect(await decide("order", "pending")).toEqual({ status: "approved", reason: null });
    expect(await decide("order_rejected", "pending")).toMatchObject({ status: "rejected" });
    expect(await decide("order_paused", "pending")).toMatchObject({ status: "paused" });
  });
});

const description = descriptionFile("twilio-content.yaml");

describe.skipIf(description === null)("Twilio's own description of the Content API", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const answer = await http.request({
      method: "GET",
      url: `${prism.baseUrl}/v1/Content/HXnot-a-sid/ApprovalRequests`,
      headers: { authorization: `Basic ${Buffer.from("a:b").toString("base64")}` },
      timeoutMs: 5_000,
      maxBodyBytes: 65_536,
    });
    expect(answer.status).toBe(422);
  });

  it("accepts the question, and its answer is understood", async () => {
    expect(await ask(prism.baseUrl)).toEqual({ status: "approved", reason: null });
  });
});
