/**
 * Texts for measuring the deterministic checks that nobody here wrote: samples with their sources and licences, and whole
 * sets that the evaluation fetches.
 */
import { readFileSync, readdirSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import type { Finding } from "../content-checks/schemas.ts";

/** `development`: the rules were written beside it. `held_out`: they were left as they were when it was read. */
const splitSchema = z.enum(["development", "held_out"]);
type Split = z.infer<typeof splitSchema>;

/** One text, and what the checks owe: something to find, or to let it pass. */
export interface OutsideText {
  set: string;
  language: string;
  split: Split;
  text: string;
  category: Finding["category"] | null;
}

const pieces = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(""))]);

const sampleSchema = z.strictObject({
  source: z.string(),
  url: z.url(),
  licence: z.enum(["CC-BY-4.0", "MIT", "Apache-2.0", "BSD-3-Clause"]),
  note: z.string(),
  language: z.string(),
  category: z.enum(["abusive_language", "sensitive_data"]),
  split: splitSchema,
  /** For each mark in a text, what it stands for: one text for each. */
  placeholders: z.record(z.string(), z.array(z.string())),
  texts: z.array(z.tuple([z.enum(["hateful", "sensitive", "harmless"]), pieces])),
});

const harmlessSchema = z.strictObject({
  source: z.string(),
  url: z.url(),
  licence: z.enum(["MIT", "BSD-3-Clause"]),
  note: z.string(),
  texts: z.array(z.tuple([z.string(), splitSchema, z.string()])),
});

/** Found or refused of how many. */
const countSchema = z.tuple([z.int().nonnegative(), z.int().positive()]);

const unseenSchema = z.strictObject({
  /** The day, ISO 8601. */
  written: z.iso.date(),
  /** `held_out` until rules are changed with knowledge of it. */
  split: splitSchema,
  note: z.string(),
  /** What the checks did when they first saw it: the only figures of it that say anything of texts to come. */
  firstRun: z.strictObject({
    sensitive_data: countSchema,
    abusive_language: countSchema,
    refused: countSchema,
  }),
  texts: z.array(z.tuple([z.string(), z.enum(["hateful", "sensitive", "harmless"]), pieces])),
});

const folder = (name: string) => new URL(`./evaluation/${name}/`, import.meta.url);
const jsonOf = (name: string) =>
  readdirSync(folder(name))
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file): [set: string, json: unknown] => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(new URL(file, folder(name)), "utf8")),
    ]);

/** The samples beside this file. Throws when one cannot be read. */
export function outsideTexts(): OutsideText[] {
  const texts: OutsideText[] = [];
  for (const [set, json] of jsonOf("outside")) {
    const sample = sampleSchema.parse(json);
    const { language, split, placeholders } = sample;
    for (const [label, template] of sample.texts) {
      const category = label === "harmless" ? null : sample.category;
      for (const text of expanded(template, placeholders))
        texts.push({ set, language, split, text, category });
    }
  }
  for (const [set, json] of jsonOf("harmless-outside")) {
    for (const [language, split, text] of harmlessSchema.parse(json).texts) {
      texts.push({ set, language, split, text, category: null });
    }
  }
  return texts;
}

/** A set that somebody wrote here without seeing the rules. */
export interface UnseenSet {
  name: string;
  split: Split;
  firstRun: z.output<typeof unseenSchema>["firstRun"];
  texts: OutsideText[];
}

/** The sets of ./evaluation/unseen. Throws when one cannot be read. */
export function unseenSets(): UnseenSet[] {
  const categories = { hateful: "abusive_language", sensitive: "sensitive_data", harmless: null } as const;
  return jsonOf("unseen").map(([name, json]) => {
    const { split, firstRun, texts } = unseenSchema.parse(json);
    return {
      name,
      split,
      firstRun,
      texts: texts.map(([language, label, text]) => ({
        set: name,
        language,
        split,
        text,
        category: categories[label],
      })),
    };
  });
}

function expanded(template: string, placeholders: Readonly<Record<string, readonly string[]>>): string[] {
  const mark = Object.keys(placeholders).find((name) => template.includes(name));
  if (mark === undefined) return [template];
  return (placeholders[mark] ?? []).map((word) => {
    const text = template.replaceAll(mark, word);
    return text.charAt(0).toUpperCase() + text.slice(1);
  });
}

/** How the checks did on the texts of one set, split and language. */
interface OutsideScore {
  set: string;
  split: Split;
  language: string;
  /** Texts with something to find, and those in which the checks found something of its category. */
  expected: number;
  found: number;
  /** Texts to let pass, and those that the checks would refuse. */
  harmless: number;
  refused: number;
}

export function scoreOutside(
  texts: readonly OutsideText[],
  check: (text: OutsideText) => readonly Finding[],
): OutsideScore[] {
  const scores = new Map<string, OutsideScore>();
  for (const text of texts) {
    const { set, split, language, category } = text;
    const key = [set, split, language].join(" ");
    const score = scores.get(key) ?? { set, split, language, expected: 0, found: 0, harmless: 0, refused: 0 };
    scores.set(key, score);
    const findings = check(text);
    if (category === null) {
      score.harmless += 1;
      if (findings.some(({ severity }) => severity === "block")) score.refused += 1;
    } else {
      score.expected += 1;
      if (findings.some((finding) => finding.category === category)) score.found += 1;
    }
  }
  return [...scores.values()];
}

/** A whole set, where it is fetched from and how it is read. The address names a commit, so that it cannot change. */
export interface FetchedSet {
  name: string;
  licence: string;
  url: string;
  compressed: boolean;
  read: (text: string) => OutsideText[];
}

const hatecheck =
  "https://raw.githubusercontent.com/paul-rottger/hatecheck-data/84640841ad96b3a8027b17a66fae4fc6eb83b66a";
const multilingual =
  "https://raw.githubusercontent.com/rewire-online/multilingual-hatecheck/9f72ce80e6ccbad889739f59f96ab06d43a92cb6";
const openai =
  "https://raw.githubusercontent.com/openai/moderation-api-release/d3938df6ce8b06c2907f92c6084d8192da61b9aa";

const languageNames = {
  de: "german",
  es: "spanish",
  fr: "french",
  it: "italian",
  nl: "dutch",
  pl: "polish",
  pt: "portuguese",
} as const;
/** The templates that the rules were written beside, or that the samples have. */
const seenTemplates: readonly [from: number, to: number][] = [
  [1, 130],
  [242, 261],
  [362, 366],
  [387, 433],
  [498, 514],
];

const rowsOf = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, bom: true, relax_quotes: true });

function readHatecheck(set: string, language: string): (text: string) => OutsideText[] {
  return (text) =>
    rowsOf(text).flatMap((row) => {
      const label = row.label_gold;
      const written = row.test_case ?? "";
      if (written === "" || (label !== "hateful" && label !== "non-hateful")) return [];
      const template = Number(row.templ_id ?? row.mhc_templ_id ?? 0);
      const seen = seenTemplates.some(([from, to]) => template >= from && template <= to);
      const split = seen ? ("development" as const) : ("held_out" as const);
      const category = label === "hateful" ? ("abusive_language" as const) : null;
      return [{ set, language, split, text: written, category }];
    });
}

const openaiRow = z.object({ prompt: z.string() }).catchall(z.union([z.number(), z.string()]));

export const fetchedSets: readonly FetchedSet[] = [
  {
    name: "HateCheck",
    licence: "CC-BY-4.0",
    url: `${hatecheck}/test_suite_cases.csv`,
    compressed: false,
    read: readHatecheck("HateCheck", "en"),
  },
  ...Object.entries(languageNames).map(([language, name]) => ({
    name: `Multilingual HateCheck, ${name}`,
    licence: "CC-BY-4.0",
    url: `${multilingual}/MHC%20Final%20Cases/hatecheck_cases_final_${name}.csv`,
    compressed: false,
    read: readHatecheck("Multilingual HateCheck", language),
  })),
  {
    name: "OpenAI's moderation samples",
    licence: "MIT",
    url: `${openai}/data/samples-1680.jsonl.gz`,
    compressed: true,
    // Hate (H, H2) and harassment (HR); the other labels are not about abuse of people.
    read: (text) =>
      text.split("\n").flatMap((line) => {
        if (line.trim() === "") return [];
        const row = openaiRow.parse(JSON.parse(line));
        const abusive = [row.H, row.H2, row.HR].includes(1);
        const other = [row.S, row.V, row.SH, row.S3, row.V2].includes(1);
        if (other && !abusive) return [];
        return [
          {
            set: "OpenAI's samples",
            language: "en",
            split: "held_out" as const,
            text: row.prompt,
            category: abusive ? ("abusive_language" as const) : null,
          },
        ];
      }),
  },
];
