import { describe, expect, it } from "vitest";
import { checkTexts } from "../content-checks/checks.ts";
import { outsideTexts, scoreOutside, unseenSets } from "./outside-sets.ts";
import { loadEvaluation, scoreEvaluation, scoreTable } from "./evaluation.ts";

const texts = loadEvaluation();
const check = ({ text, language }: { text: string; language: string }) =>
  checkTexts([{ pointer: "/body", text }], { language });

describe("the evaluation set", () => {
  it("holds at least 120 texts in at least eight languages, with unique names", () => {
    expect(texts.length).toBeGreaterThanOrEqual(120);
    expect(new Set(texts.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(texts.map(({ id }) => id)).size).toBe(texts.length);
    expect(new Set(texts.map(({ channel }) => channel)).size).toBe(3);
    expect(new Set(texts.map((text) => text.class)).size).toBe(4);
  });

  it.each(texts.filter(({ expected }) => expected.length > 0))(
    "says where in $id its findings are",
    ({ text, expected }) => {
      for (const { excerpt } of expected) {
        expect(excerpt).not.toBe("");
        expect(text).toContain(excerpt);
      }
    },
  );
});

describe("the deterministic checks on the evaluation set", () => {
  const { categories, confusions } = scoreEvaluation(texts, check, "deterministic");
  const concerned = categories.filter(({ expected, findings }) => expected + findings > 0);
  process.stdout.write(`${scoreTable(concerned).join("\n")}\n`);

  it("find nothing in texts that must pass", () => {
    const mustPass = texts.filter(({ expected }) => expected.length === 0);
    expect(mustPass.length).toBeGreaterThan(60);
    expect(mustPass.flatMap((text) => check(text).map((finding) => ({ id: text.id, ...finding })))).toEqual(
      [],
    );
  });

  it("find everything that they must, with its severity, and nothing else", () => {
    expect(confusions).toEqual([]);
  });
});

describe("the deterministic checks on texts that nobody here wrote", () => {
  const outside = outsideTexts();
  const heldOut = outside.filter(({ split }) => split === "held_out");
  const share = (category: "abusive_language" | "sensitive_data") => {
    const scores = scoreOutside(
      heldOut.filter((text) => text.category === category),
      check,
    );
    const sum = (of: "expected" | "found") => scores.reduce((total, score) => total + score[of], 0);
    expect(sum("expected")).toBeGreaterThan(10);
    return sum("found") / sum("expected");
  };

  it("find as much abuse and as many secrets as the documentation says", () => {
    expect(share("abusive_language")).toBeGreaterThanOrEqual(0.7);
    expect(share("sensitive_data")).toBeGreaterThanOrEqual(0.93);
  });

  it("refuse at most two in a hundred harmless mails and notices of any language", () => {
    const mails = outside.filter(({ set }) => set.startsWith("django"));
    const scores = scoreOutside(mails, check);
    for (const language of ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "tr"]) {
      const own = scores.filter((score) => score.language === language);
      const harmless = own.reduce((sum, score) => sum + score.harmless, 0);
      const refused = own.reduce((sum, score) => sum + score.refused, 0);
      expect(harmless, language).toBeGreaterThanOrEqual(40);
      expect(refused / harmless, language).toBeLessThanOrEqual(0.02);
    }
  });
});

describe("the sets written without seeing the rules", () => {
  const sets = unseenSets();
  const counts = (of: (typeof sets)[number]) => {
    const hits = (category: "abusive_language" | "sensitive_data" | null) => {
      const scores = scoreOutside(
        of.texts.filter((text) => text.category === category),
        check,
      );
      const sum = (what: "expected" | "found" | "harmless" | "refused") =>
        scores.reduce((total, score) => total + score[what], 0);
      return category === null ? [sum("refused"), sum("harmless")] : [sum("found"), sum("expected")];
    };
    return {
      sensitive_data: hits("sensitive_data"),
      abusive_language: hits("abusive_language"),
      refused: hits(null),
    };
  };

  it("are called held out only while the rules do with them what they did at first", () => {
    const heldOut = sets.filter(({ split }) => split === "held_out");
    expect(heldOut.length).toBeGreaterThan(0);
    for (const set of heldOut) expect(counts(set), set.name).toEqual(set.firstRun);
  });

  it("lose nothing of what was found in them once rules were changed beside them", () => {
    for (const set of sets) {
      const now = counts(set);
      for (const category of ["sensitive_data", "abusive_language"] as const) {
        expect(now[category][1], set.name).toBe(set.firstRun[category][1]);
        expect(now[category][0], set.name).toBeGreaterThanOrEqual(set.firstRun[category][0]);
      }
      expect(now.refused[1], set.name).toBe(set.firstRun.refused[1]);
      expect(now.refused[0], set.name).toBeLessThanOrEqual(set.firstRun.refused[0]);
    }
  });
});
