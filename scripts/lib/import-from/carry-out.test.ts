import { describe, expect, it } from "vitest";
import type { FileTemplate } from "../../../server/template-files/files.ts";
import { carryOut } from "./carry-out.ts";
import type { Call } from "./carry-out.ts";

const template: FileTemplate = {
  name: "order-shipped",
  notificationType: "order",
  notificationSubtype: "order_status",
  channel: "sms",
  region: null,
  language: "en",
  provider: null,
  subject: null,
  body: "On its way",
  metadata: {},
  variables: [],
};

describe("an import of templates that nobody works on", () => {
  it("keeps neither contacts nor opt-outs waiting: what to check is told, and after the bound the rest is imported", async () => {
    const calls: string[] = [];
    const running = {
      id: "1",
      state: "running",
      counts: { create: 1, update: 0, unchanged: 0, invalid: 0, done: 0, failed: 0 },
      items: [{ path: "order-shipped/sms", action: "create", state: "planned", problem: null }],
    };
    const call: Call = <Answer>(_method: string, where: string) => {
      calls.push(where);
      const results = where === "/v1/consents" ? [{ status: "recorded" }] : [{ status: "created" }];
      return Promise.resolve((where.startsWith("/v1/template-imports") ? running : { results }) as Answer);
    };
    const told: string[] = [];
    const { lines, failed, goesOn } = await carryOut(
      call,
      {
        templates: [template],
        contacts: [{ externalId: "ada" }],
        consents: [{} as never],
        unmapped: [],
      },
      { application: "shop", dryRun: false, waitMs: 400, tell: (text) => told.push(text) },
    );
    expect(told).toEqual([expect.stringContaining("lanesWithoutWorker")]);
    expect({ failed, goesOn }).toEqual({ failed: 0, goesOn: true });
    expect(lines.join("\n")).toMatch(/continues by itself[^]*Contacts: 1 created[^]*Consent: 1 opt-outs/);
    expect(calls.slice(-2)).toEqual(["/v1/contacts/batch", "/v1/consents"]);
  });
});
