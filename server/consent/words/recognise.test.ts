import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recognise } from "./recognise.ts";
import { classesOfNo, classesOfYes } from "./revocation-scope.ts";
import { wordLanguages } from "./words.ts";

interface Phrase {
  language: string;
  meaning: string;
  text: string;
}

const phrases = (name: string): Phrase[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [language = "", meaning = "", text = ""] = line.split("\t");
      return { language, meaning, text };
    });

/** What share of those who say no is understood, and what share of the others is taken for a no. */
function quality(set: readonly Phrase[]) {
  const stops = set.filter((each) => each.meaning === "stop");
  const others = set.filter((each) => each.meaning !== "stop");
  const taken = (some: readonly Phrase[]) => some.filter((each) => recognise(each.text).meaning === "stop");
  return {
    recall: taken(stops).length / stops.length,
    falseOptOuts: taken(others).length / others.length,
    // Of a held-out set only the share is shown: whoever mends the misses has no held-out set any more.
    right: set.filter((each) => recognise(each.text).meaning === each.meaning).length / set.length,
  };
}

describe("what recipients write", () => {
  it.each(["working.tsv", "held-out.tsv"])(
    "is understood in 12 languages: recall >= 0.98, false opt-outs <= 1 %% (%s)",
    (name) => {
      const set = phrases(name);
      expect(new Set(set.map((each) => each.language))).toEqual(new Set(wordLanguages));
      const { recall, falseOptOuts, right } = quality(set);
      process.stdout.write(
        `${name}: ${String(set.length)} ${JSON.stringify({ recall, falseOptOuts, right })}\n`,
      );
      expect(recall).toBeGreaterThanOrEqual(0.98);
      expect(falseOptOuts).toBeLessThanOrEqual(0.01);
      expect(right).toBeGreaterThanOrEqual(0.95);
    },
  );

  it("is, between people, hardly ever taken for a no (messages of an outside collection)", () => {
    const texts = readFileSync(new URL("outside.tsv", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    const meanings = texts.map((text) => recognise(text).meaning);
    expect(texts.length).toBeGreaterThan(100);
    expect(meanings.filter((meaning) => meaning === "stop")).toEqual([]);
    expect(meanings.filter((meaning) => meaning !== "none").length).toBeLessThanOrEqual(texts.length * 0.02);
  });

  it.each([
    ["STOP", "stop", "en"],
    ["Stop, danke", "stop", "de"],
    ["s\u200bt\u00adop", "stop", "en"],
    ["🛑🛑 ＳＴＯＰ!!! 🙏", "stop", "en"],
    ["s.t.o.p", "stop", "en"],
    ["unsubscirbe", "unsubscribe", "en"],
    ["Arrêtez svp", "arretez", "fr"],
  ])("is told with the word and its language: %s", (text, word, language) => {
    expect(recognise(text)).toEqual({ meaning: "stop", word, language, all: false });
  });

  it.each([
    ["STOPALL", true],
    ["stop all please", true],
    ["stop", false],
  ])("says whether everything is to stop: %s", (text, all) => {
    expect(recognise(text)).toMatchObject({ meaning: "stop", all });
  });

  it.each(["", " ", "🙏", "\0", "shop", "stop by tomorrow", "don't stop", "cancer", "Yes", "thank you"])(
    "is no word of ours: %j",
    (text) => {
      expect(recognise(text).meaning).toBe("none");
    },
  );

  it("counts an organisation's own words as whole messages only", () => {
    const own = { stop: ["Ciao Bella"], start: ["jawohl"], help: ["???", "Was?"] };
    expect(recognise("ciao bella!", own)).toEqual({
      meaning: "stop",
      word: "Ciao Bella",
      language: null,
      all: false,
    });
    expect(recognise("ciao bella, come stai", own).meaning).toBe("none");
    expect(recognise("JAWOHL", own).meaning).toBe("start");
    expect(recognise("was", own).meaning).toBe("help");
  });

  it("of any length costs little, and a keyword with much after it is none", () => {
    const hostile = [
      "stop by ".repeat(8_000),
      "stop ".repeat(13_000),
      "s".repeat(65_536),
      "a\u0301".repeat(30_000),
      "no more ".repeat(8_000),
      "مت मत ".repeat(8_000),
      ".".repeat(65_536),
    ];
    const since = performance.now();
    for (let round = 0; round < 20; round++) for (const text of hostile) recognise(text);
    expect((performance.now() - since) / (20 * hostile.length)).toBeLessThan(20);
    expect(recognise(`cancel ${"please ".repeat(100)}`).meaning).toBe("none");
  });
});

describe("a no by word", () => {
  const at = new Date("2026-11-23T10:00:00Z");
  const all = ["transactional", "service", "marketing"];
  const order = { class: "transactional", region: "DE" } as const;

  it("covers the class that it answers and marketing, never what other classes tell", () => {
    expect(classesOfNo(order, { all: false, at })).toEqual(["transactional", "marketing"]);
    expect(classesOfNo({ ...order, class: "marketing" }, { all: false, at })).toEqual(["marketing"]);
  });

  it("covers all but authentication when nothing is answered or everything is to stop", () => {
    expect(classesOfNo(null, { all: false, at })).toEqual(all);
    expect(classesOfNo(order, { all: true, at })).toEqual(all);
  });

  it("covers all in the United States from 31 January 2027", () => {
    const promotion = { class: "marketing", region: "US" } as const;
    const no = (day: string, answered: Parameters<typeof classesOfNo>[0] = promotion) =>
      classesOfNo(answered, { all: false, at: new Date(day) });
    expect(no("2027-01-30T23:59:59Z")).toEqual(["marketing"]);
    expect(no("2027-01-31T00:00:00Z")).toEqual(all);
    expect(no("2027-01-31T00:00:00Z", order)).toEqual(["transactional", "marketing"]);
  });

  it("is taken back for marketing only by who had agreed to it, or in answer to it", () => {
    expect(classesOfYes(order, { agreedBefore: false })).toEqual(["transactional"]);
    expect(classesOfYes(order, { agreedBefore: true })).toEqual(["transactional", "marketing"]);
    expect(classesOfYes({ ...order, class: "marketing" }, { agreedBefore: false })).toEqual(["marketing"]);
    expect(classesOfYes(null, { agreedBefore: false })).toEqual(["transactional", "service"]);
  });
});
