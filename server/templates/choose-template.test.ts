import { describe, expect, it } from "vitest";
import { chooseTemplate } from "./choose-template.ts";
import type { TemplateQuery } from "./choose-template.ts";
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

const query: TemplateQuery = {
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
/** Most specific first, by hand: language, then region, then provider; without those that do not match. */
const order = ["de", "en", "-"].flatMap((language) =>
  ["DE", "-"].flatMap((region) => ["twilio", "-"].map((provider) => `${region}/${language}/${provider}`)),
);

describe("the template of a message", () => {
  it("is the most specific of every set of up to three variants, in any order", () => {
    for (const a of all) {
      for (const b of all) {
        for (const c of all) {
          const best = order.find((id) => [a.id, b.id, c.id].includes(id)) ?? null;
          const { chosen } = chooseTemplate([a, b, c], query);
          if ((chosen?.id ?? null) !== best) expect([a.id, b.id, c.id, chosen?.id]).toEqual(best);
        }
      }
    }
  });

  it("is the one that no other match beats, by the definition, for every query and every set of up to three", () => {
    /** The rule in three lines: what matches, and how exact language, region and provider are, in this order. */
    const exactness = (template: LiveTemplate, query: TemplateQuery): number[] | null => {
      const region = template.region === null ? 0 : template.region === query.region ? 1 : null;
      const language = [null, query.defaultLanguage, query.language].lastIndexOf(template.language);
      const provider = template.provider === null ? 0 : template.provider === query.provider ? 1 : null;
      return region === null || language < 0 || provider === null ? null : [language, region, provider];
    };
    const beats = (a: number[], b: number[]): boolean => {
      const first = a.findIndex((value, index) => value !== b[index]);
      return first >= 0 && (a[first] ?? 0) > (b[first] ?? 0);
    };
    const wishes = ["DE", "FR", "US"].flatMap((region) =>
      ["de", "en", "fr", "it"].flatMap((language) =>
        ["en", "de"].flatMap((defaultLanguage) =>
          ["twilio", "smtp", undefined].map((provider): TemplateQuery => ({
            channel: "sms",
            region,
            language,
            defaultLanguage,
            provider,
          })),
        ),
      ),
    );
    const wrong: unknown[] = [];
    for (const each of wishes) {
      const ranks = new Map(all.map((template) => [template, exactness(template, each)]));
      for (const [i, a] of all.entries()) {
        for (const [j, b] of all.slice(0, i + 1).entries()) {
          for (const c of all.slice(0, j + 1)) {
            const set = [...new Set([b, c, a])];
            const fitting = set.filter((template) => ranks.get(template));
            const best = fitting.filter((one) =>
              fitting.every((other) => !beats(ranks.get(other) ?? [], ranks.get(one) ?? [])),
            );
            const { chosen } = chooseTemplate(set, each);
            const right = best.length === 0 ? chosen === null : best.length === 1 && chosen === best[0];
            if (!right) wrong.push([each, set.map(({ id }) => id), chosen?.id]);
          }
        }
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it("is in the recipient's language before it is for their region", () => {
    const [english, german] = [live("DE", "en", null), live(null, "de", null)];
    const { chosen, others } = chooseTemplate([english, german], query);
    expect(chosen).toBe(german);
    expect(others).toEqual([{ template: english, why: "another one is in the language de itself" }]);
    const [anyone, usual] = [live("DE", null, null), live(null, "en", null)];
    expect(chooseTemplate([anyone, usual], query)).toEqual({
      chosen: usual,
      others: [{ template: anyone, why: "another one is in the default language en" }],
    });
  });

  it("falls back step by step as variants are removed", () => {
    const left = [...all];
    for (const expected of order) {
      const { chosen } = chooseTemplate(left, query);
      expect(chosen?.id).toBe(expected);
      left.splice(
        left.findIndex((template) => template.id === expected),
        1,
      );
    }
    expect(chooseTemplate(left, query).chosen).toBeNull();
  });

  it("is never one for another provider when none is known", () => {
    const { chosen } = chooseTemplate(all, { ...query, provider: undefined });
    expect(chosen?.id).toBe("DE/de/-");
  });

  it("is never one that is switched off, and the choice says so", () => {
    const off = { ...live("DE", "de", null), disabled: true };
    const { chosen, others } = chooseTemplate([off, live(null, null, null)], query);
    expect(chosen?.id).toBe("-/-/-");
    expect(others).toEqual([{ template: off, why: "it is switched off in this environment" }]);
  });

  it("comes with a reason for each one that lost", () => {
    const { others } = chooseTemplate(all, query);
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
    expect(chooseTemplate(all, { ...query, channel: "email" }).chosen).toBeNull();
    expect(chooseTemplate(all, { ...query, name: "other" }).chosen).toBeNull();
    expect(chooseTemplate(all, { ...query, name: "order-shipped" }).chosen).not.toBeNull();
  });
});
