import { describe, expect, it } from "vitest";
import { chooseTemplate } from "./choose-template.ts";
import type { TemplateWish } from "./choose-template.ts";
import type { LiveTemplate } from "./queries.ts";

function live(region: string | null, language: string | null, provider: string | null): LiveTemplate {
  return {
    id: `${region ?? "-"}/${language ?? "-"}/${provider ?? "-"}`,
    name: "order-shipped",
    version: 1,
    channel: "sms",
    notificationType: "order",
    notificationSubtype: "shipped",
    region,
    language,
    provider,
    disabled: false,
    variables: [],
  };
}

const wish: TemplateWish = {
  channel: "sms",
  region: "DE",
  language: "de",
  defaultLanguage: "en",
  provider: "twilio",
};

const regions = ["DE", null, "FR"];
const languages = ["de", "en", null, "fr"];
const providers = ["twilio", null, "smtp"];
const all = regions.flatMap((region) =>
  languages.flatMap((language) => providers.map((provider) => live(region, language, provider))),
);
/** Most specific first, by hand: region, then language, then provider; those that do not fit are not in it. */
const order = ["DE", "-"].flatMap((region) =>
  ["de", "en", "-"].flatMap((language) =>
    ["twilio", "-"].map((provider) => `${region}/${language}/${provider}`),
  ),
);

describe("the template of a message", () => {
  it("is the most specific of every set of up to three variants, in whichever order they come", () => {
    for (const a of all) {
      for (const b of all) {
        for (const c of all) {
          const best = order.find((id) => [a.id, b.id, c.id].includes(id)) ?? null;
          const { chosen } = chooseTemplate([a, b, c], wish);
          if ((chosen?.id ?? null) !== best) expect([a.id, b.id, c.id, chosen?.id]).toEqual(best);
        }
      }
    }
  });

  it("falls back step by step as variants are taken away", () => {
    const left = [...all];
    for (const expected of order) {
      const { chosen } = chooseTemplate(left, wish);
      expect(chosen?.id).toBe(expected);
      left.splice(
        left.findIndex((template) => template.id === expected),
        1,
      );
    }
    expect(chooseTemplate(left, wish).chosen).toBeNull();
  });

  it("is never one for another provider when none is known", () => {
    const { chosen } = chooseTemplate(all, { ...wish, provider: undefined });
    expect(chosen?.id).toBe("DE/de/-");
  });

  it("is never one that is switched off, and the choice says so", () => {
    const off = { ...live("DE", "de", null), disabled: true };
    const { chosen, others } = chooseTemplate([off, live(null, null, null)], wish);
    expect(chosen?.id).toBe("-/-/-");
    expect(others).toEqual([{ template: off, why: "it is switched off in this environment" }]);
  });

  it("comes with a reason for each one that lost", () => {
    const { others } = chooseTemplate(all, wish);
    expect(others).toHaveLength(all.length - 1);
    const why = (id: string) => others.find((other) => other.template.id === id)?.why;
    expect(why("FR/de/twilio")).toBe("it is for the region FR");
    expect(why("DE/fr/-")).toBe("it is in the language fr");
    expect(why("DE/de/smtp")).toBe("it is for the provider smtp");
    expect(why("-/de/twilio")).toBe("another one is for the region DE itself");
    expect(why("DE/en/-")).toBe("another one is in the language de itself");
    expect(why("DE/de/-")).toBe("another one is for the provider twilio itself");
  });

  it("is of the channel and, where one is asked for, of the name", () => {
    expect(chooseTemplate(all, { ...wish, channel: "email" }).chosen).toBeNull();
    expect(chooseTemplate(all, { ...wish, name: "other" }).chosen).toBeNull();
    expect(chooseTemplate(all, { ...wish, name: "order-shipped" }).chosen).not.toBeNull();
  });
});
