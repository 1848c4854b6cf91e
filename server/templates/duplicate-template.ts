import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { htmlToText } from "../template-language/html-text.ts";
import { liquidTokens } from "../template-language/liquid-engine.ts";
import type { VersionContent } from "../template-language/render.ts";
import { createTemplate } from "./create-template.ts";
import { requireTemplate } from "./present-template.ts";
import { selectVersion } from "./queries.ts";
import { templateContentSchema } from "./schemas.ts";
import type { Template, TemplateDuplicate } from "./schemas.ts";

/**
 * Copies a version of a template to another audience: a new template with version 1, which is checked and moderated
 * like any other. To another channel only the text and the variables are copied, as HTML or plain text as the channel
 * needs. Throws what createTemplate throws, and `template_exists` if nothing distinguishes the copy.
 */
export async function duplicateTemplate(ctx: Ctx, input: TemplateDuplicate): Promise<Template> {
  const row = await requireTemplate(ctx, "templates:read", input.id);
  const version = input.version ?? row.latestVersion;
  const source = await selectVersion(ctx, row.id, version);
  if (!source) throw notFound();
  const channel = input.channel ?? row.channel;
  const body = fittingBody(source, channel);
  return createTemplate(ctx, {
    application: input.application ?? row.application,
    name: input.name ?? row.name,
    notificationType: input.notificationType ?? row.notificationType,
    notificationSubtype: input.notificationSubtype ?? row.notificationSubtype,
    channel,
    region: input.region === undefined ? row.region : input.region,
    language: input.language === undefined ? row.language : input.language,
    provider: input.provider === undefined ? row.provider : input.provider,
    subject: input.subject ?? (channel === "email" ? source.subject : null),
    body,
    metadata: channel === row.channel ? source.metadata : {},
    variables: source.variables,
    ...(source.provenance.kind === "human"
      ? {}
      : {
          provenance: {
            kind: source.provenance.kind,
            ...(source.provenance.model === null ? {} : { model: source.provenance.model }),
          },
        }),
    note: input.note ?? `Copied from version ${String(version)} of ${row.name}`,
  });
}

function fittingBody(source: VersionContent, channel: Channel): string {
  if (channel === source.channel) return source.body;
  const body = channel === "email" ? textToHtml(source.body) : plainText(source);
  const problem = templateContentSchema.shape.body.safeParse(body).error?.issues[0];
  if (!problem) return body;
  throw new DomainError(
    "invalid_template",
    `The text cannot be copied to the channel ${channel}: ${problem.message}.`,
    { errors: [{ pointer: "/body", code: "invalid", detail: problem.message }] },
  );
}

function plainText(source: VersionContent): string {
  if (source.channel !== "email") return source.body;
  const written = "text" in source.metadata ? source.metadata.text : undefined;
  return written ?? htmlToText(source.compiledBody ?? source.body);
}

/** Paragraphs and lines as HTML; Liquid stays as it is. */
function textToHtml(text: string): string {
  const escape = (plain: string) =>
    plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const escaped: string[] = [];
  let copied = 0;
  for (const { begin, end } of liquidTokens(text)) {
    escaped.push(escape(text.slice(copied, begin)), text.slice(begin, end));
    copied = end;
  }
  escaped.push(escape(text.slice(copied)));
  return escaped
    .join("")
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>\n")}</p>`)
    .join("\n");
}
