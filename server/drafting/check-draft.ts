import { env } from "../kernel/env.ts";
import { previewLinks } from "../links/shortener.ts";
import { checkTexts } from "../moderation/checks.ts";
import { checkContent } from "../templates/check-content.ts";
import { outsideVariables, parseText } from "../templates/liquid-engine.ts";
import { renderCompiled } from "../templates/render.ts";
import type { VersionContent } from "../templates/render.ts";
import { moderatedTexts, toContent } from "../templates/save-version.ts";
import { smsSegments } from "../templates/segments.ts";
import { exampleValues } from "../templates/variables.ts";
import type { DraftRequest } from "./schemas.ts";

export interface DraftCheck {
  /** What is wrong with the text, each in a sentence; empty: it may be used. */
  problems: string[];
  /** Names of variables that the text uses and that are not declared. */
  undeclared: string[];
  /** SMS: segments with the examples; null for other channels and for what cannot be rendered. */
  segments: number | null;
}

/**
 * Holds a written text against everything that a save would refuse, with the product's own parser, plus what the action
 * promises: one segment after shortening, and every variable of the original after a translation or another tone.
 */
export async function checkDraft(
  request: DraftRequest,
  text: { subject: string | null; body: string },
): Promise<DraftCheck> {
  const content = contentOf(request, text);
  const declared = new Set(request.variables.map(({ name }) => name));
  const used = usedVariables(content);
  const undeclared = [...used].filter((name) => !declared.has(name));
  const problems: string[] = [];
  const { compiled, problems: found } = await checkContent(content);
  problems.push(...found.map(({ pointer, detail }) => `${nameOf(pointer)}: ${detail}`));
  if (text.body === "") problems.push("The text is empty.");
  problems.push(...lostVariables(request, used));
  if (!compiled) return { problems: distinct(problems), undeclared, segments: null };
  for (const finding of checkTexts(moderatedTexts(compiled))) {
    if (finding.severity === "block") problems.push(`${nameOf(finding.pointer)}: ${finding.explanation}`);
  }
  const segments = segmentsOf(request, compiled);
  if (request.action === "shorten" && request.channel === "sms" && segments !== null && segments > 1) {
    problems.push(
      `With the variables' examples the text takes ${String(segments)} SMS segments; it must fit into one: at most 160 characters of the GSM-7 alphabet, or 70 when any other character is among them.`,
    );
  }
  return { problems: distinct(problems), undeclared, segments };
}

function contentOf(request: DraftRequest, text: { subject: string | null; body: string }): VersionContent {
  return toContent(request.channel, {
    subject: text.subject,
    body: text.body,
    metadata: request.channel === "email" && request.format === "mjml" ? { format: "mjml" } : {},
    variables: request.variables,
  });
}

/** Names of the outside variables; a part that does not parse has none. */
function usedVariables({ subject, body }: Pick<VersionContent, "subject" | "body">): Set<string> {
  const names = new Set<string>();
  for (const source of [subject ?? "", body]) {
    try {
      for (const { name } of outsideVariables(parseText(source, "text"))) names.add(name);
    } catch {
      // checkContent says what is wrong with it.
    }
  }
  return names;
}

function lostVariables(request: DraftRequest, used: Set<string>): string[] {
  if (request.action !== "translate" && request.action !== "tone") return [];
  return [...usedVariables(request)]
    .filter((name) => !used.has(name))
    .map((name) => `The variable "${name}" of the original is missing.`);
}

function segmentsOf(request: DraftRequest, compiled: Parameters<typeof renderCompiled>[0]): number | null {
  if (request.channel !== "sms") return null;
  const locale = request.language ?? "en";
  const result = renderCompiled(compiled, exampleValues(request.variables), {
    locale,
    timezone: "UTC",
    shorten: previewLinks({ kind: "built_in", domain: null }, env().shortUrl),
  });
  return result.ok ? smsSegments(result.message.text).segments : null;
}

const nameOf = (pointer: string): string => (pointer === "/subject" ? "Subject" : "Text");
const distinct = (texts: string[]): string[] => [...new Set(texts)];
