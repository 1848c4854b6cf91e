import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutboundError } from "../kernel/outbound-http.ts";
import { createWordingCache, learnWording, templateExtras } from "./whatsapp-template.ts";
import type { TemplateWording } from "./whatsapp-template.ts";

const wording = (more: Partial<TemplateWording> = {}): TemplateWording => ({
  headerText: null,
  buttons: [],
  authentication: false,
  ...more,
});

describe("what fills the placeholders outside the body", () => {
  it("is what stands at the placeholder, for any text around it", () => {
    const around = fc.string({ maxLength: 12 }).filter((text) => !/[{}]/.test(text));
    fc.assert(
      fc.property(around, around, fc.string({ minLength: 1, maxLength: 12 }), (before, after, value) => {
        const message = { header: { type: "text" as const, value: before + value + after } };
        const learnt = wording({ headerText: `${before}{{1}}${after}` });
        expect(templateExtras(message, learnt)).toEqual({ headerText: value, buttons: [] });
      }),
    );
  });

  it("is nothing for fixed texts and addresses, and for all of them while the wording is unknown", () => {
    const message = {
      header: { type: "text" as const, value: "Anything" },
      buttons: [
        { type: "url" as const, text: "Help", value: "https://a.example/help" },
        { type: "phone" as const, text: "Call", value: "+49301234567" },
        { type: "quick_reply" as const, text: "Yes" },
      ],
    };
    const fixed = wording({ headerText: "Order", buttons: [{ url: "https://a.example/help" }] });
    expect(templateExtras(message, fixed)).toEqual({ buttons: [] });
    expect(templateExtras(message, null)).toEqual({ buttons: [] });
  });

  it("names the part that is not the template's", () => {
    const header = { type: "text" as const, value: "Parcel 1" };
    expect(templateExtras({ header }, wording({ headerText: "Order {{1}}" }))).toMatch(/header/);
    const buttons = [{ type: "url" as const, text: "x", value: "https://b.example/1" }];
    const learnt = wording({ buttons: [{ url: "https://a.example/{{1}}" }] });
    expect(templateExtras({ buttons }, learnt)).toMatch(/Button 1/);
    // A placeholder that would be empty is no parameter that WhatsApp takes.
    const empty = [{ type: "url" as const, text: "x", value: "https://a.example/" }];
    expect(templateExtras({ buttons: empty }, learnt)).toMatch(/Button 1/);
  });

  it("repeats a one-time password once, also where the author wrote its button", () => {
    const otp = "https://www.whatsapp.com/otp/code/?code=otp{{1}}";
    const learnt = wording({ authentication: true, buttons: [{ url: otp }] });
    const whatsapp = { template: "t", variables: { "1": "123456" } };
    const expected = { buttons: [{ index: 0, type: "url", value: "123456" }] };
    expect(templateExtras({ whatsapp }, learnt)).toEqual(expected);
    const buttons = [{ type: "url" as const, text: "Copy", value: otp.replace("{{1}}", "123456") }];
    expect(templateExtras({ whatsapp, buttons }, learnt)).toEqual(expected);
    expect(templateExtras({ whatsapp }, { ...learnt, authentication: false })).toEqual({ buttons: [] });
  });
});

describe("the memory of wordings", () => {
  it("lasts ten minutes, and keeps no failure", async () => {
    let now = 0;
    let asked = 0;
    const cache = createWordingCache(() => now);
    const ask = (): Promise<TemplateWording | null> => Promise.resolve(((asked += 1), wording()));
    await Promise.all([cache.get("a", ask), cache.get("a", ask)]);
    now = 599_000;
    await cache.get("a", ask);
    expect(asked).toBe(1);
    now = 601_000;
    await cache.get("a", ask);
    expect(asked).toBe(2);
    const fail = (): Promise<null> => Promise.reject(new OutboundError("connect", "refused", "Away", false));
    await expect(cache.get("b", fail)).rejects.toThrow("Away");
    expect(await cache.get("b", ask)).toEqual(wording());
  });

  it("is bounded: the oldest goes first", async () => {
    const cache = createWordingCache();
    let asked = 0;
    const ask = (): Promise<null> => Promise.resolve(((asked += 1), null));
    for (let i = 0; i <= 1_000; i += 1) await cache.get(String(i), ask);
    asked = 0;
    await cache.get("1000", ask);
    expect(asked).toBe(0);
    await cache.get("0", ask);
    expect(asked).toBe(1);
  });

  it("turns a provider that cannot be asked into a message that was certainly not sent", async () => {
    const away = learnWording(() => Promise.reject(new OutboundError("body", "timeout", "Too slow", true)));
    expect(await away).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_unavailable" });
    await expect(learnWording(() => Promise.reject(new TypeError("a defect")))).rejects.toThrow("a defect");
  });
});
