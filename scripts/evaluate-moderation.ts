/**
 * `npm run evaluate:moderation`: runs the evaluation set (server/moderation/evaluation) through the deterministic
 * checks and, where the AI_* variables name a service, through moderation as a whole. Prints precision and recall by
 * category, every disagreement and the tokens used; and what the checks find in samples of public sets, by whether the
 * rules were written beside them. `-- --fetch` fetches the whole public sets, which stay in DATA_DIR. Needs no database.
 * Exit code 0 unless the set cannot be read: the quality of a model is for people to judge.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { aiClient } from "../server/ai/client.ts";
import type { AiClient } from "../server/ai/client.ts";
import { aiConfig } from "../server/ai/config.ts";
import { completeStructured, moderateOnce, readAnswer } from "../server/ai/wire.ts";
import { checkTexts } from "../server/content-checks/checks.ts";
import { joined } from "../server/content-checks/join-findings.ts";
import { locateFindings } from "../server/content-checks/locate-findings.ts";
import type { Finding } from "../server/content-checks/schemas.ts";
import { loadEvaluation, scoreEvaluation, scoreTable } from "../server/moderation/evaluation.ts";
import type { EvaluationText } from "../server/moderation/evaluation.ts";
import { fetchedSets, outsideTexts, scoreOutside, unseenSets } from "../server/moderation/outside-sets.ts";
import type { FetchedSet, OutsideText } from "../server/moderation/outside-sets.ts";
import { classifyTexts } from "../server/moderation/classify-texts.ts";
import { readCommandLine } from "./lib/command.ts";

const usage = `Usage:
  npm run evaluate:moderation -- [--fetch]

Runs the evaluation set through the deterministic checks and, where the AI_* variables name a service, through moderation as a
whole, and prints precision and recall by category and what disagrees. Needs no database.

  --fetch   fetches the whole public sets, at most 20 MiB each, which stay in DATA_DIR

docs/moderation.md has more.`;
const { values } = readCommandLine(usage, { fetch: { type: "boolean", default: false } }, { needs: [] });

const atOnce = 4;
const patienceMs = 60_000;
const tokens = { input: 0, output: 0 };
const say = (...lines: string[]) => process.stdout.write(`${lines.join("\n")}\n`);

const texts = loadEvaluation();
const languages = new Set(texts.map(({ language }) => language));
say(`${String(texts.length)} texts in ${String(languages.size)} languages`);

report(
  "Deterministic checks",
  texts,
  ({ text, language }) => check(text, language).findings,
  "deterministic",
);
reportOutside("The same checks on texts that nobody here wrote (samples)", outsideTexts());
reportUnseen();
await reportFetched();

const config = aiConfig();
if (!config) {
  say(
    "",
    "No AI service is configured (AI_MODEL with AI_API_KEY or AI_BASE_URL): only the checks were evaluated.",
  );
} else {
  say(
    "",
    `Asking ${config.model} and ${config.moderationModel ?? "no moderation endpoint"} at ${config.baseUrl} …`,
  );
  const client = aiClient(config);
  const found = new Map<EvaluationText, Finding[]>();
  const unanswered: string[] = [];
  const waiting = texts[Symbol.iterator]();
  const work = async () => {
    for (const text of waiting) {
      try {
        found.set(text, await judge(client, text));
      } catch (error) {
        unanswered.push(`${text.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  report("Checks and AI service", [...found.keys()], (text) => found.get(text) ?? [], "all");
  if (unanswered.length > 0)
    say("", `Without an answer, and left out above: ${String(unanswered.length)}`, ...unanswered.sort());
  say("", `Tokens: ${String(tokens.input)} in, ${String(tokens.output)} out`);
}

function check(text: string, language: string) {
  return { checkedBy: ["deterministic"], findings: checkTexts([{ pointer: "/body", text }], { language }) };
}

/** Recall and refusals by set, split and language, and of each split as a whole. */
function reportOutside(title: string, of: readonly OutsideText[]): void {
  const scores = scoreOutside(of, ({ text, language }) => check(text, language).findings);
  const share = (part: number, whole: number) =>
    whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} % of ${String(whole)}`;
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padEnd(at === 0 ? 34 : 18)).join("");
  say("", title, line(["set", "rules", "language", "found", "refused wrongly"]));
  for (const { set, split, language, expected, found, harmless, refused } of scores) {
    const beside = split === "development" ? "written beside" : "held out";
    say(line([set, beside, language, share(found, expected), share(refused, harmless)]));
  }
  for (const split of ["development", "held_out"] as const) {
    for (const category of ["abusive_language", "sensitive_data", null] as const) {
      const some = of.filter((text) => text.split === split && text.category === category);
      const hits = some.filter(({ text, language }) => {
        const { findings } = check(text, language);
        return category === null
          ? findings.some(({ severity }) => severity === "block")
          : findings.some((finding) => finding.category === category);
      });
      if (some.length === 0) continue;
      const name = category === null ? "harmless texts refused" : `${category} found`;
      say(
        `${split === "development" ? "written beside" : "held out"}: ${name}: ${share(hits.length, some.length)}`,
      );
    }
  }
}

/** The sets that were written here without seeing the rules: what the first run found, which is not repeated, and now. */
function reportUnseen(): void {
  const sets = unseenSets();
  for (const { name, split, firstRun } of sets) {
    const counts = Object.entries(firstRun).map(
      ([what, [part, whole]]) => `${what.replace("_", " ")} ${String(part)} of ${String(whole)}`,
    );
    const since = split === "held_out" ? "still held out" : "rules were changed with knowledge of it since";
    say("", `${name}, at its first run, held out: ${counts.join(", ")}; ${since}`);
  }
  reportOutside(
    "The checks now on those sets, written here without seeing the rules",
    sets.flatMap(({ texts: own }) => own),
  );
}

/** The whole public sets, where they are in the cache or may be fetched. */
async function reportFetched(): Promise<void> {
  const cache = path.join(process.env.DATA_DIR ?? ".data", "evaluation");
  const mayFetch = values.fetch;
  const read: OutsideText[] = [];
  const missing: string[] = [];
  for (const set of fetchedSets) {
    try {
      read.push(...set.read(await wholeSet(set, cache, mayFetch)));
    } catch (error) {
      missing.push(`${set.name} (${set.licence}): ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (read.length > 0) reportOutside("The same checks on whole public sets", read);
  if (missing.length > 0) say("", "Not evaluated:", ...missing.map((name) => `  ${name}`));
}

/**
 * A set's text from the cache, or fetched into it. Its SHA-256 is written beside it with the first fetch, and a file that
 * no longer has it is refused. At most 20 MiB, within a minute.
 */
async function wholeSet(set: FetchedSet, cache: string, mayFetch: boolean): Promise<string> {
  const file = path.join(cache, set.name.replace(/[^A-Za-z]{1,20}/g, "-").toLowerCase());
  if (!existsSync(file)) {
    if (!mayFetch) throw new Error("not fetched yet; npm run evaluate:moderation -- --fetch does that");
    const answer = await fetch(set.url, { signal: AbortSignal.timeout(60_000) });
    if (!answer.ok) throw new Error(`${set.url} answered ${String(answer.status)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (bytes.length > 20 * 1024 * 1024) throw new Error("is larger than 20 MiB");
    mkdirSync(cache, { recursive: true });
    writeFileSync(file, bytes);
    writeFileSync(`${file}.sha256`, createHash("sha256").update(bytes).digest("hex"));
  }
  const bytes = readFileSync(file);
  const sum = createHash("sha256").update(bytes).digest("hex");
  if (readFileSync(`${file}.sha256`, "utf8").trim() !== sum) {
    throw new Error(`${file} is not what was fetched; delete it and fetch it again`);
  }
  return (set.compressed ? gunzipSync(bytes, { maxOutputLength: 64 * 1024 * 1024 }) : bytes).toString("utf8");
}

/** As a save would: what the checks block is not sent anywhere. */
async function judge(
  client: AiClient,
  { text, channel, language, class: ofType }: EvaluationText,
): Promise<Finding[]> {
  const checked = check(text, language);
  if (checked.findings.some(({ severity }) => severity === "block")) return checked.findings;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(patienceMs)]);
  const about = { channel, language, application: "shop", notificationType: ofType, class: ofType };
  const asked = [{ pointer: "/body", text }];
  const judgement = await classifyTexts(
    {
      moderate: (pieces) => moderateOnce(client, pieces, signal),
      ask: async (question) => {
        for (let tries = 0; tries < 2; tries++) {
          const { text: answer, whole, usage } = await completeStructured(client, question, signal);
          tokens.input += usage?.input ?? 0;
          tokens.output += usage?.output ?? 0;
          const read = answer === null || !whole ? undefined : readAnswer(answer, question.schema);
          if (read) return read;
        }
        throw new Error("answered off the schema");
      },
      giveUp: () => controller.abort(),
      locate: locateFindings,
    },
    client.config,
    asked,
    about,
    "",
  );
  return joined(asked, checked, judgement).findings;
}

function report(
  title: string,
  of: readonly EvaluationText[],
  findingsOf: (text: EvaluationText) => readonly Finding[],
  wanted: "deterministic" | "all",
): void {
  const { categories, confusions } = scoreEvaluation(of, findingsOf, wanted);
  const mustPass = of.filter(({ expected }) => expected.length === 0);
  const refused = mustPass.filter((text) => findingsOf(text).some(({ severity }) => severity === "block"));
  say("", title, ...scoreTable(categories));
  say(`Texts that must pass: ${String(mustPass.length)}, refused: ${String(refused.length)}`);
  if (confusions.length === 0) return;
  say("", "Disagreements");
  for (const { id, kind, category, severity, excerpt } of confusions)
    say(`  ${kind.padEnd(11)}${id.padEnd(28)}${category.padEnd(21)}${severity.padEnd(6)}${excerpt}`);
}
