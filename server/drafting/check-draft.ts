import { env } from "../kernel/env.ts";
import { previewLinks } from "../links/shortener.ts";
import { examineTexts, outsideNames } from "../rendering/render-pool.ts";
import type { VersionContent } from "../template-language/render.ts";
import { smsSegments } from "../template-language/segments.ts";
import { exampleValues } from "../template-language/variables.ts";
import { toContent } from "../templates/save-version.ts";
import type { DraftRequest } from "./schemas.ts";

/** How long a check may wait for its turn, ms. */
const patienceMs = 10_000;

export interface DraftCheck {
  /** What is wrong with the text, one sentence each; empty: it can be used. */
  problems: string[];
  /** Names of variables that the text uses and that are not declared. */
  undeclared: string[];
  /** SMS: segments with the examples; null for other channels and for what cannot be rendered. */
  segments: number | null;
}

/**
 * Checks a written text for everything that a save would refuse, with the product's own parser, and for what the action
 * promises: one segment after shortening, and every variable of the original after a translation or a change of tone.
 */
export async function checkDraft(
  tenantId: string,
  request: DraftRequest,
  text: { subject: string | null; body: string },
): Promise<DraftCheck> {
  const content = contentOf(request, text);
  const declared = new Set(request.variables.map(({ name }) => name));
  const [used, original] = await usedVariables(tenantId, [content, request]);
  const undeclared = [...used].filter((name) => !declared.has(name));
  const problems: string[] = [];
  const examined = await examineTexts(tenantId, content, {
    patienceMs,
    language: request.language ?? null,
    render: {
      values: exampleValues(request.variables),
      settings: {
        locale: request.language ?? "en",
        timezone: "UTC",
        shorten: previewLinks({ kind: "built_in", domain: null }, env().shortUrl),
      },
    },
  });
  const { problems: found, findings, rendered } = examined;
  problems.push(...found.map(({ pointer, detail }) => `${nameOf(pointer)}: ${detail}`));
  if (text.body === "") problems.push("The text is empty.");
  problems.push(...lostVariables(request, original, used));
  if (!examined.content) return { problems: distinct(problems), undeclared, segments: null };
  for (const finding of findings) {
    if (finding.severity === "block") problems.push(`${nameOf(finding.pointer)}: ${finding.explanation}`);
  }
  const segments =
    request.channel === "sms" && rendered?.ok ? smsSegments(rendered.message.text).segments : null;
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

/** The outside variables of each part; a part that does not parse has none: the examination reports it. */
async function usedVariables(
  tenantId: string,
  contents: [Pick<VersionContent, "subject" | "body">, Pick<DraftRequest, "subject" | "body">],
): Promise<[Set<string>, Set<string>]> {
  const [subject, body, originalSubject, originalBody] = await outsideNames(
    tenantId,
    contents.flatMap((content) => [content.subject ?? "", content.body]),
  );
  return [
    new Set([...(subject ?? []), ...(body ?? [])]),
    new Set([...(originalSubject ?? []), ...(originalBody ?? [])]),
  ];
}

function lostVariables(request: DraftRequest, original: Set<string>, used: Set<string>): string[] {
  if (request.action !== "translate" && request.action !== "tone") return [];
  return [...original]
    .filter((name) => !used.has(name))
    .map((name) => `The variable "${name}" of the original is missing.`);
}

const nameOf = (pointer: string): string => (pointer === "/subject" ? "Subject" : "Text");
const distinct = (texts: string[]): string[] => [...new Set(texts)];
