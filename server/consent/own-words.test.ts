import { describe, expect, it } from "vitest";
import { recordInbound } from "../inbound/record-inbound.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { refusal } from "../testing/refusal.ts";
import { getWordReplies, updateWordReplies } from "./own-replies.ts";
import { getOwnWords, updateOwnWords } from "./own-words.ts";
import { ownWordsSchema, wordRepliesUpdateSchema } from "./schemas.ts";

const database = await testDatabase();
const none = { stop: [], start: [], help: [] };

describe("an organisation's own words", () => {
  it("count from when they are saved, as whole messages, for this organisation alone, and are audited", async () => {
    const world = await makeSendingWorld(database);
    const other = await makeSendingWorld(database);
    const owner = world.tenant.as("owner");
    expect(await getOwnWords(owner)).toEqual(none);
    await updateOwnWords(owner, { ...none, stop: ["Tschüss Shop"] });
    expect(await getOwnWords(owner)).toEqual({ ...none, stop: ["Tschüss Shop"] });
    for (const [each, expected] of [
      [world, ["Tschüss Shop", "Tschüss Shop", "Tschüss Shop"]],
      [other, []],
    ] as const) {
      const { id: connectionId } = await each.addTwilio("http://127.0.0.1:9");
      await recordInbound(each.tenant.system, {
        connectionId,
        inbound: ["tschuss shop!", "tschüss shop bis morgen"].map((text, index) => ({
          providerMessageId: `own-${String(index)}`,
          channel: "sms",
          from: "+4915112345678",
          to: "+4930123456",
          text,
        })),
      });
      const { rows } = await database.owner.query<{ word: string }>(
        "SELECT evidence->>'word' AS word FROM consent_entries WHERE tenant_id = $1",
        [each.tenantId],
      );
      expect(rows.map(({ word }) => word)).toEqual(expected);
    }
    const { rows } = await database.owner.query<{ data: unknown }>(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent_words.changed'",
      [world.tenantId],
    );
    expect(rows).toMatchObject([{ data: { before: { stop: [] }, after: { stop: ["Tschüss Shop"] } } }]);
  });

  it("are at most fifty of a kind, forty characters each, and none twice", () => {
    const fine = (words: object) => ownWordsSchema.safeParse({ ...none, ...words }).success;
    const many = (count: number) => Array.from({ length: count }, (_, index) => `word ${String(index)}`);
    expect(fine({ stop: many(50), help: ["x".repeat(40)] })).toBe(true);
    for (const words of [
      { stop: many(51) },
      { stop: ["x".repeat(41)] },
      { stop: ["!!!"] },
      { stop: ["a\u0000b"] },
      { stop: ["adios"], start: ["Adios"] },
    ]) {
      expect(fine(words)).toBe(false);
    }
  });

  it("that somebody else has added since they were read are not taken away", async () => {
    const owner = (await makeSendingWorld(database)).tenant.as("owner");
    await updateOwnWords(owner, { stop: ["adios"], expected: { stop: [] } });
    expect(await refusal(updateOwnWords(owner, { stop: ["basta"], expected: { stop: [] } }))).toMatchObject({
      code: "revision_conflict",
    });
    await updateOwnWords(owner, { help: ["ayuda"], expected: { help: [] } });
    expect(await getOwnWords(owner)).toEqual({ stop: ["adios"], start: [], help: ["ayuda"] });
  });

  it("of one kind are changed without the others, in which no word may stand as well", async () => {
    const owner = (await makeSendingWorld(database)).tenant.as("owner");
    await updateOwnWords(owner, { stop: ["adios"] });
    await updateOwnWords(owner, { help: ["ayuda"] });
    expect(await getOwnWords(owner)).toEqual({ stop: ["adios"], start: [], help: ["ayuda"] });
    expect(await refusal(updateOwnWords(owner, { start: ["Adios"] }))).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/start", code: "repeated" }],
    });
    const before = await getWordReplies(owner);
    await updateWordReplies(owner, wordRepliesUpdateSchema.parse({ stop: { enabled: false } }));
    await updateWordReplies(owner, wordRepliesUpdateSchema.parse({ help: { text: "Call us" } }));
    expect(await getWordReplies(owner)).toEqual({
      ...before,
      stop: { enabled: false, text: null },
      help: { enabled: true, text: "Call us" },
    });
  });

  it("are for those who manage the whole organisation's settings", async () => {
    const world = await makeSendingWorld(database);
    const stranger = world.tenant.as("owner", world.tenant.units.beta);
    await expect(updateOwnWords(stranger, none)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(getOwnWords(stranger)).rejects.toMatchObject({ code: "permission_denied" });
  });
});
