import { describe, expect, it } from "vitest";
import { checkTexts } from "../content-checks/checks.ts";
import { loadEvaluation, scoreEvaluation, scoreTable } from "./evaluation.ts";

const texts = loadEvaluation();
const check = ({ text }: { text: string }) => checkTexts([{ pointer: "/body", text }]);

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
