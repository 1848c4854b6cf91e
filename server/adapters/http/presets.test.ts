import { describe, expect, it } from "vitest";
import { parseHttpCallback, receiptAddress } from "./http-callback.ts";
import { buildRequest, checkRequest, exampleValues } from "./http-request.ts";
import { outcomeOf } from "./judge-answer.ts";
import { httpPresets } from "./presets.ts";
import { httpCredentialsSchema, httpSettingsSchema, httpSteps } from "./schemas.ts";
import { uselessSettings } from "./useless-settings.ts";

const preset = (name: string) => {
  const found = httpPresets.find((each) => each.name === name);
  if (!found) throw new Error(`There is no preset ${name}`);
  return { ...found, settings: httpSettingsSchema.parse(found.settings) };
};
/** The values of its secrets in order: s1, s2. */
const secretsOf = (name: string) =>
  Object.fromEntries(Object.keys(preset(name).secrets).map((each, index) => [each, `s${String(index + 1)}`]));
const answer = (status: number, body: string) => ({
  status,
  headers: { "content-type": body.startsWith("{") ? "application/json" : "text/plain" },
  body: Buffer.from(body),
  truncated: false,
});
const values = {
  ...exampleValues,
  from: "Shop",
  to: "+4915112345678",
  text: 'Your "order" & more',
  callbackUrl: "https://tidings.example/api/callbacks/c1",
};

describe.each(httpPresets.map(({ name }) => name))("the preset of %s", (name) => {
  it("passes every check of a connection that is saved, and warns of nothing", () => {
    const { settings, secrets } = preset(name);
    expect(checkRequest(settings)).toEqual([]);
    expect(uselessSettings(settings)).toEqual([]);
    const used = [...settings.headers.matchAll(/secrets\.(\w+)/g)].map(([, secret]) => secret);
    expect(new Set(used)).toEqual(new Set(Object.keys(secrets)));
  });

  it("says where each secret is found in the provider's console", () => {
    for (const place of Object.values(preset(name).secrets)) expect(place).toMatch(/^\S.* → \S/);
  });
});

describe("a preset's request", () => {
  it.each([
    [
      "46elks",
      "Basic czE6czI=",
      "from=Shop&to=%2B4915112345678&message=Your+%22order%22+%26+more&whendelivered=https%3A%2F%2Ftidings.example%2Fapi%2Fcallbacks%2Fc1",
    ],
    [
      "Plivo",
      "Basic czE6czI=",
      { src: "Shop", dst: "4915112345678", text: values.text, url: values.callbackUrl, method: "POST" },
    ],
    [
      "Sinch",
      "Bearer s1",
      {
        from: "Shop",
        to: [values.to],
        body: values.text,
        delivery_report: "per_recipient",
        callback_url: values.callbackUrl,
      },
    ],
    [
      "Telnyx",
      "Bearer s1",
      { from: "Shop", to: values.to, text: values.text, webhook_url: values.callbackUrl },
    ],
  ])("of %s is what the provider's documentation asks for", (name, authorization, body) => {
    const { settings } = preset(name);
    const request = buildRequest(settings, { ...values, secrets: secretsOf(name) });
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([header, value]) => [header.toLowerCase(), value]),
    );
    expect(headers.authorization).toBe(authorization);
    expect(headers["content-type"]).toContain(settings.contentType);
    const written = request.body ?? "";
    if (typeof body === "string") expect(written.replaceAll("%20", "+")).toBe(body);
    else expect(JSON.parse(written)).toEqual(body);
  });
});

const connection = (name: string) => ({
  id: "c1",
  settings: preset(name).settings,
  credentials: httpCredentialsSchema.parse({ callbackSecret: "a-secret-of-24-characters" }),
});

describe("a provider's answer", () => {
  it.each([
    ["46elks", 200, '{"status":"created","id":"s17a6dafb12d6b1ca","cost":3500}', "s17a6dafb12d6b1ca"],
    [
      "Plivo",
      202,
      '{"message":"message(s) queued","message_uuid":["db3ce55a-7f1d"],"api_id":"4a"}',
      "db3ce55a-7f1d",
    ],
    [
      "Sinch",
      201,
      '{"id":"01FC66621XXXXX119Z8PMV1QPQ","to":["4915112345678"]}',
      "01FC66621XXXXX119Z8PMV1QPQ",
    ],
    ["Telnyx", 200, '{"data":{"record_type":"message","id":"40385f64-5717"}}', "40385f64-5717"],
  ])("of %s with %i means sent, with the message's id", (name, status, body, providerMessageId) => {
    expect(outcomeOf(connection(name), answer(status, body), false)).toEqual({
      kind: "sent",
      providerMessageId,
      final: false,
    });
  });

  it.each([
    ["46elks", 400, "Invalid to number", { providerMessage: "Invalid to number" }],
    ["Plivo", 400, '{"api_id":"4a","error":"dst is not valid"}', { providerMessage: "dst is not valid" }],
    [
      "Sinch",
      400,
      '{"code":"syntax_invalid_parameter_format","text":"to is invalid"}',
      { providerCode: "syntax_invalid_parameter_format", providerMessage: "to is invalid" },
    ],
    [
      "Telnyx",
      422,
      '{"errors":[{"code":"40310","title":"Invalid","detail":"The to address is invalid"}]}',
      { providerCode: "40310", providerMessage: "The to address is invalid" },
    ],
  ])("of %s with %i means not sent, with the provider's words", (name, status, body, words) => {
    expect(outcomeOf(connection(name), answer(status, body), false)).toMatchObject({
      kind: "not_sent",
      ...words,
    });
  });
});

describe("a provider's receipt", () => {
  it.each([
    ["46elks", "id=s17a&status=delivered&delivered=2027-01-01T00%3A00%3A00", "s17a", "delivered"],
    ["46elks", "id=s17a&status=failed", "s17a", "failed"],
    ["Plivo", "Status=undelivered&MessageUUID=db3ce55a&ErrorCode=30", "db3ce55a", "failed"],
    [
      "Sinch",
      '{"type":"recipient_delivery_report_sms","batch_id":"01FC","code":0,"recipient":"4915112345678","status":"Delivered"}',
      "01FC",
      "delivered",
    ],
    [
      "Telnyx",
      '{"data":{"event_type":"message.finalized","payload":{"id":"4038","to":[{"phone_number":"+4915112345678","status":"delivered"}]}}}',
      "4038",
      "delivered",
    ],
  ])("of %s is read: %s", (name, body, providerMessageId, status) => {
    const message = {
      callbackUrl: "https://tidings.example/api/callbacks/c1",
      notificationId: exampleValues.notificationId,
      attempt: 1,
    };
    const result = parseHttpCallback(connection(name), {
      method: "POST",
      url: receiptAddress(connection(name), message),
      headers: {
        "content-type": body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded",
      },
      rawBody: Buffer.from(body),
    });
    expect(result).toMatchObject({
      authentic: true,
      receipts: [{ notificationId: message.notificationId, providerMessageId, status }],
    });
  });
});

it("each field of the form belongs to exactly one step", () => {
  const inSteps = (part: "settings" | "credentials") => httpSteps.flatMap((step) => step[part]).sort();
  expect(inSteps("settings")).toEqual(Object.keys(httpSettingsSchema.shape).sort());
  expect(inSteps("credentials")).toEqual(Object.keys(httpCredentialsSchema.shape).sort());
});
