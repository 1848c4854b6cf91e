/**
 * `npm run evaluate:moderation`: runs the evaluation set (server/moderation/evaluation) through the deterministic
 * checks and, where the AI_* variables name a service, through moderation as a whole. Prints precision and recall by
 * category, every disagreement and the tokens used. Needs no database. Exit code 0 unless the set cannot be read: the
 * quality of a model is for people to judge.
 */
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
import { classifyTexts } from "../server/moderation/classify-texts.ts";

const atOnce = 4;
const patienceMs = 60_000;
const tokens = { input: 0, output: 0 };
const say = (...lines: string[]) => process.stdout.write(`${lines.join("\n")}\n`);

const texts = loadEvaluation();
const languages = new Set(texts.map(({ language }) => language));
say(`${String(texts.length)} texts in ${String(languages.size)} languages`);

report("Deterministic checks", texts, ({ text }) => check(text).findings, "deterministic");

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

function check(text: string) {
  return { checkedBy: ["deterministic"], findings: checkTexts([{ pointer: "/body", text }]) };
}

/** As a save would: what the checks block is not sent anywhere. */
async function judge(
  client: AiClient,
  { text, channel, language, class: ofType }: EvaluationText,
): Promise<Finding[]> {
  const checked = check(text);
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
