import type { Finding } from "../content-checks/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { notFound } from "../kernel/errors.ts";
import { previewLinks } from "../links/shortener.ts";
import { examineTexts } from "../rendering/render-pool.ts";
import type { RenderedMessage, VersionContent } from "../template-language/render.ts";
import { checkVariables, exampleValues } from "../template-language/variables.ts";
import type { VariableProblem } from "../template-language/variables.ts";
import { requireTemplate } from "./present-template.ts";
import { selectVersion } from "./queries.ts";
import { toContent } from "./save-version.ts";
import type { PreviewProblem, TemplatePreviewInput } from "./schemas.ts";
import { smsPreview } from "./sms-preview.ts";
import type { SmsPreview } from "./sms-preview.ts";

/** How long a preview may wait for its turn, ms: its editor asks again with the next key press. */
const patienceMs = 2_000;

export interface TemplatePreview {
  /** What would be sent; null when it cannot be rendered, and then `problems` says why. */
  message: RenderedMessage | null;
  /** SMS only. */
  segments: SmsPreview | null;
  problems: PreviewProblem[];
  /** What is wrong with the sample values. */
  valueProblems: VariableProblem[];
  findings: Finding[];
}

/**
 * Renders a stored version, or unsaved texts, with the given values over the examples. Problems of a text are a result,
 * not an error: an editor shows them while its user types.
 */
export async function previewTemplate(ctx: Ctx, input: TemplatePreviewInput): Promise<TemplatePreview> {
  const { content, ...audience } = await contentOf(ctx, input);
  const values = { ...exampleValues(content.variables), ...input.values };
  const language = input.language ?? audience.language ?? null;
  const region = input.region ?? audience.region ?? null;
  const settings = {
    locale: region === null ? (language ?? "en") : `${language ?? "en"}-${region}`,
    language,
    // As a message is rendered.
    timezone: "UTC",
    // A template belongs to no environment: `shorten` shows what the built-in shortener would do.
    shorten: previewLinks({ kind: "built_in", domain: null }, env().shortUrl),
  };
  const {
    problems,
    findings,
    rendered: result,
  } = await examineTexts(ctx.tenantId, content, {
    patienceMs,
    language,
    render: { values, settings },
  });
  const preview: TemplatePreview = {
    message: null,
    segments: null,
    problems: [...problems],
    valueProblems: checkVariables(content.variables, values),
    findings,
  };
  if (!result) return preview;
  if (!result.ok) {
    if (problems.length === 0) preview.problems.push(result.failure);
    return preview;
  }
  preview.message = result.message;
  if (content.channel === "sms") preview.segments = smsPreview(result.message.text, result.message.encoding);
  return preview;
}

/** What is shown, and of a stored version whom it is for. */
async function contentOf(
  ctx: Ctx,
  input: TemplatePreviewInput,
): Promise<{ content: VersionContent; language?: string | null; region?: string | null }> {
  if (!("templateId" in input)) return { content: toContent(input.channel, input) };
  const row = await requireTemplate(ctx, "templates:read", input.templateId);
  const content = await selectVersion(ctx, row.id, input.version ?? row.latestVersion);
  if (!content) throw notFound();
  return { content, language: row.language, region: row.region };
}
