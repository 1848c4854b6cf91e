import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { smsSegments } from "../../template-language/segments.ts";
import { confirmationMail, confirmationPageTexts, confirmationWords } from "../confirmation-texts.ts";
import { confirmableClasses } from "../vocabulary.ts";
import { recognise } from "./recognise.ts";
import { wordLanguages } from "./words.ts";
import { yesIn } from "./yes.ts";

const rowsOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((parts) => parts.length >= 3);

describe("a yes to what somebody was asked", () => {
  it("is the word that the message asks for, in each language, and is no word for anything else", () => {
    for (const language of wordLanguages) {
      const text = confirmationWords("word", { language, organisation: "{yes}", classes: ["marketing"] });
      const asked = confirmationWords("word", { language, organisation: "Acme", classes: ["marketing"] });
      // A name with braces is a name.
      expect(text).toContain("{yes}");
      const word = asked.split(/[\s,:.]+/).find((each) => yesIn(each) !== null) ?? "";
      expect(word, `${language}: ${asked}`).not.toBe("");
      expect(recognise(word).meaning, word).toBe("none");
      for (const said of [word, word.toLowerCase(), ` ${word}! `, `"${word}".`])
        expect(yesIn(said)).not.toBeNull();
    }
    for (const said of [
      "ja",
      "Oui",
      "SÍ",
      "si",
      "Sì.",
      "sim",
      "TAK",
      "evet",
      "نعم",
      "हाँ",
      "Yes please",
      "ja bitte",
      "YES 👍",
    ]) {
      expect(yesIn(said), said).not.toBeNull();
    }
  });

  it("is nothing else: no question, no condition, no refusal, no story", () => {
    for (const said of [
      ...[
        "",
        "no",
        "nein",
        "yes?",
        "yes but only on sundays",
        "yes no",
        "not yes",
        "oui mais non",
        "ja nein",
      ],
      ...[
        "yesterday",
        "okay stop",
        "stop yes",
        "I said yes to her",
        "yes ".repeat(200),
        "?",
        "ok when do you open",
        ...["ok", "OK.", "vale", "tamam", "va bene", "han", "y"],
        ...["yes 👎", "Yes :(", "ja ❌"],
      ],
    ]) {
      expect(yesIn(said), said).toBeNull();
    }
  });

  it("is none of the phrases that the recogniser is held to, but for those that are said for START", () => {
    const others = ["working.tsv", "held-out.tsv"]
      .flatMap(rowsOf)
      .filter(([, meaning]) => meaning !== "start");
    const taken = others.filter(([, meaning, text = ""]) => meaning !== "none" && yesIn(text) !== null);
    expect(others.length).toBeGreaterThan(200);
    expect(taken).toEqual([]);
  });
});

describe("the messages of a double opt-in", () => {
  it("take at most two SMS segments, in each language, with a long name", () => {
    for (const language of wordLanguages) {
      for (const kind of ["word", "wordDone"] as const) {
        for (const name of confirmableClasses) {
          const of = {
            language,
            organisation: "A name of an organisation that is very long",
            classes: [name],
          };
          expect(
            smsSegments(confirmationWords(kind, of)).segments,
            `${language} ${kind}`,
          ).toBeLessThanOrEqual(2);
        }
      }
    }
  });

  it("are complete in each language, and in English for any other", () => {
    const of = { organisation: "Acme", class: "marketing" } as const;
    for (const language of [...wordLanguages, "xx"]) {
      const until = new Date("2026-11-25T09:30:00Z");
      const mail = confirmationMail({ ...of, language, until });
      const page = confirmationPageTexts(language, of);
      for (const text of [...Object.values(mail), ...Object.values(page)]) {
        expect(text).not.toMatch(/\{[a-z]*\}|undefined/);
        expect(text).not.toBe("");
      }
      expect(mail.subject).toContain("Acme");
    }
    expect(confirmationPageTexts("xx", of)).toEqual(confirmationPageTexts("en", of));
  });
});
