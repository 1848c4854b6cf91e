import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const { tenant } = await makeSendingWorld(database);
const { tenant: other } = await makeSendingWorld(database);
const { key } = await tenant.makeKey("production", { role: "owner" });

interface State {
  revision: number | string;
  quietHours?: unknown[];
  caps?: unknown[];
  overrides?: unknown[];
}

const night = {
  classes: ["marketing"],
  channels: ["sms"],
  regions: ["DE"],
  days: ["mon", "sun"],
  from: "20:00",
  to: "08:00",
};
const cap = { class: "marketing", channel: null, most: 3, hours: 168, over: "wait" };
const override = { class: "marketing", channel: "email", region: "US", policy: "opt_out" };

describe.each([
  ["/v1/recipient-limits", { quietHours: [night], caps: [cap] }, { quietHours: [], caps: [] }],
  ["/v1/consent-policy", { overrides: [override] }, { overrides: [] }],
] as const)("a key at %s", (path, wanted, nothing) => {
  it("sets what the portal sets, and reads it back", async () => {
    const before = await rest.get<State>(path, { key });
    expect(before.status, before.text).toBe(200);
    const { revision } = before.body;
    const changed = await rest.put<State>(path, { key, json: { ...wanted, revision } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject(wanted);
    expect((await rest.get<State>(path, { key })).body).toEqual(changed.body);
    const stale = await rest.put<{ code: string }>(path, { key, json: { ...nothing, revision } });
    expect([stale.status, stale.body.code]).toEqual([409, "revision_conflict"]);
    expect((await rest.get<State>(path, { key })).body).toEqual(changed.body);
  });

  it("changes nothing for another organisation", async () => {
    const theirs = await other.makeKey("production", { role: "owner" });
    const seen = await rest.get<State>(path, { key: theirs.key });
    expect(seen.body).toMatchObject(nothing);
  });

  it("of another environment reads and does not change; one without settings:manage does neither", async () => {
    const staging = await tenant.makeKey("staging", { role: "owner" });
    const { body } = await rest.get<State>(path, { key: staging.key });
    const json = { ...nothing, revision: body.revision };
    const refused = await rest.put<{ code: string }>(path, { key: staging.key, json });
    expect([refused.status, refused.body.code]).toEqual([403, "environment_mismatch"]);
    const sender = await tenant.makeKey("production", { role: "sender" });
    for (const answer of [
      await rest.get<{ code: string }>(path, { key: sender.key }),
      await rest.put<{ code: string }>(path, { key: sender.key, json }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "permission_denied"]);
    expect((await rest.get<State>(path, { key })).body).toMatchObject(wanted);
  });
});
