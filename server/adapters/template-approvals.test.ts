/** How far a WhatsApp template is in its approval, as every provider that can be asked says it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFaultyServer } from "../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../testing/faulty-server.ts";
import { httpProvider, json } from "../testing/http-providers.ts";
import { loopbackClient } from "../testing/outbound-email.ts";
import { descriptionFile, serveDescription } from "../testing/prism.ts";
import { strictly } from "../testing/provider-contracts/contract.ts";
import { contracts } from "../testing/provider-contracts/contracts.ts";
import type { AdapterName, ApprovalStatus } from "./adapter.ts";

type ApprovalCases = {
  name: AdapterName;
  template: string;
  settings: object;
  /** The provider's word, and its reason, in its answer. */
  answer: (word: string, reason?: string) => FaultyAnswer;
  unknown: FaultyAnswer;
  statuses: [word: string, said: string | undefined, status: ApprovalStatus, reason: string | null][];
  /** Settings with which the provider cannot be asked. */
  lacking?: object;
  /** A description whose example answer is read, and the template in it. */
  official?: { file: string; template: string; language: string };
};

const meta = (...data: object[]) => json(200, { data: data.map((one) => ({ components: [], ...one })) });
const rows: ApprovalCases[] = [
  {
    name: "twilio",
    template: `HX${"3c".repeat(16)}`,
    settings: {},
    answer: (status, rejection_reason = "") =>
      json(200, { sid: "HX", whatsapp: { type: "whatsapp", name: "x", rejection_reason, status } }),
    unknown: json(404, { code: 20404, message: "Not found", status: 404 }),
    statuses: [
      ["unsubmitted", undefined, "unsubmitted", null],
      ["received", undefined, "pending", null],
      ["pending", undefined, "pending", null],
      ["approved", undefined, "approved", null],
      ["paused", undefined, "paused", null],
      ["disabled", undefined, "paused", "WhatsApp has disabled the template."],
      ["rejected", "TAG_CONTENT_MISMATCH", "rejected", "TAG_CONTENT_MISMATCH"],
    ],
    official: { file: "twilio-content.yaml", template: `HX${"3c".repeat(16)}`, language: "en" },
  },
  {
    name: "meta",
    template: "hello",
    settings: { wabaId: "102290129340398" },
    answer: (status, rejected_reason) =>
      meta(
        { name: "hello_longer", language: "en", status: "REJECTED" },
        { name: "hello", language: "de", status: "REJECTED" },
        { name: "hello", language: "en", status, ...(rejected_reason ? { rejected_reason } : {}) },
      ),
    unknown: meta(),
    statuses: [
      ["PENDING", undefined, "pending", null],
      ["IN_APPEAL", undefined, "pending", null],
      ["APPROVED", "NONE", "approved", null],
      ["REJECTED", "TAG_CONTENT_MISMATCH", "rejected", "TAG_CONTENT_MISMATCH"],
      ["PAUSED", "NONE", "paused", null],
      ["DISABLED", undefined, "paused", "WhatsApp says disabled."],
    ],
    lacking: { wabaId: undefined },
    official: { file: "meta-whatsapp.yaml", template: "hello_world", language: "en_US" },
  },
  {
    name: "infobip",
    template: "hello",
    settings: { whatsappSender: "+4915199999999" },
    answer: (status) =>
      json(200, {
        templates: [
          { name: "hello", language: "de", status: "REJECTED" },
          { name: "hello", language: "en", status },
        ],
      }),
    unknown: json(200, { templates: [] }),
    statuses: [
      ["APPROVED", undefined, "approved", null],
      ["IN_REVIEW", undefined, "pending", null],
      ["REJECTED", undefined, "rejected", null],
      ["SECOND_PAUSED", undefined, "paused", "WhatsApp says second paused."],
    ],
    lacking: { whatsappSender: undefined },
  },
];

const http = loopbackClient();
afterAll(() => http.close());

describe.each(rows)("the approval of a template at $name", (row) => {
  const { adapter, connection } = httpProvider(row.name);
  let server: FaultyServer;
  let answer: FaultyAnswer;
  beforeAll(async () => {
    server = await startFaultyServer({ answer: strictly(contracts[row.name], () => answer) });
  });
  afterAll(() => server.close());

  const ask = (
    settings: object = {},
    asked: { template?: string; language?: string; baseUrl?: string } = {},
  ) => {
    const { template = row.template, language = "en", baseUrl = server.baseUrl } = asked;
    const usual = connection(baseUrl);
    const to = { ...usual, settings: { ...(usual.settings as object), ...row.settings, ...settings } };
    return adapter.fetchTemplateApproval?.(
      to,
      { template, language, known: null },
      { http, timeoutMs: 5_000 },
    );
  };

  it.each(row.statuses)("is after %s, %s: %s", async (word, said, status, reason) => {
    answer = row.answer(word, said);
    expect(await ask()).toEqual({ status, reason });
  });

  it("is not known of a template that the provider does not have", async () => {
    answer = row.unknown;
    expect(await ask()).toBeNull();
  });

  it("is a problem, never a status, when the provider does not answer well", async () => {
    for (const bad of [json(500, {}), json(401, {}), row.answer("in_heaven")]) {
      answer = bad;
      expect(await ask()).toEqual({ problem: expect.any(String) as string });
    }
    expect(await ask({}, { baseUrl: "https://127.0.0.1:1" })).toHaveProperty("problem");
    if (row.lacking) expect(await ask(row.lacking)).toHaveProperty("problem");
  });

  it.runIf(row.official)(
    "is understood from the example in the provider's own description",
    async ({ skip }) => {
      const file = descriptionFile(row.official?.file ?? "");
      if (file === null) return skip();
      const prism = await serveDescription(file);
      try {
        expect(await ask({}, { ...row.official, baseUrl: prism.baseUrl })).toMatchObject({
          status: "approved",
          reason: null,
        });
      } finally {
        await prism.close();
      }
    },
  );
});

it("is not asked for at Twilio under names of other providers", async () => {
  const { adapter, connection } = httpProvider("twilio");
  const asked = { template: "order_shipped", language: "en", known: null };
  const nobody = connection("https://127.0.0.1:1");
  expect(await adapter.fetchTemplateApproval?.(nobody, asked, { http })).toBeNull();
});
