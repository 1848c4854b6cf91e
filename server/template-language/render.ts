import type { Channel } from "../kernel/channel.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { hasCodeAddress } from "./html-address.ts";
import { htmlToText, tagEnd } from "./html-text.ts";
import {
  NotAnAddressError,
  TooLongError,
  buildScope,
  describeLiquidError,
  escapeHtml,
  parseText,
  renderText,
} from "./liquid-engine.ts";
import type { LiquidProblem, ParsedText, Scope, TextMode } from "./liquid-engine.ts";
import type { RenderSettings } from "./liquid-filters.ts";
import type { EmailMetadata, SmsMetadata, TemplateMetadata, WhatsappMetadata } from "./metadata.ts";
import { toGsmForms } from "./segments.ts";
import { closeDirections } from "./text-direction.ts";
import { isWebUrl } from "./variables.ts";
import type { VariableDeclaration } from "./variables.ts";

/** The stored content of one version. */
export interface VersionContent {
  channel: Channel;
  subject: string | null;
  body: string;
  metadata: TemplateMetadata;
  variables: VariableDeclaration[];
  /** The HTML of a compiled MJML body; null for bodies that are sent as they are. */
  compiledBody: string | null;
}

/** One of a version's Liquid texts. */
export interface CompiledPart {
  /** RFC 6901, e.g. "/metadata/preheader". */
  pointer: string;
  source: string;
  parsed: ParsedText;
}

/** A parsed version: immutable, usable for any number of renders. */
export interface CompiledVersion {
  content: VersionContent;
  parts: ReadonlyMap<string, CompiledPart>;
  /** Approximate size in memory, bytes. */
  size: number;
}

/** A problem of a template, with its position in the text (from 1) where there is one. */
export interface TemplateProblem extends FieldError {
  line: number | null;
  column: number | null;
}

/** The Liquid texts of a version: pointer, source and whether its output is HTML. */
function liquidTexts(content: VersionContent): { pointer: string; source: string; mode: TextMode }[] {
  const texts: { pointer: string; source: string; mode: TextMode }[] = [
    {
      pointer: "/body",
      source: content.compiledBody ?? content.body,
      mode: content.channel === "email" ? "html" : "text",
    },
  ];
  const add = (pointer: string, source: string | null | undefined) => {
    if (source !== null && source !== undefined && source !== "")
      texts.push({ pointer, source, mode: "text" });
  };
  if (content.channel === "email") {
    const metadata = content.metadata as EmailMetadata;
    add("/subject", content.subject);
    add("/metadata/preheader", metadata.preheader);
    add("/metadata/text", metadata.text);
    metadata.attachments?.forEach((attachment, index) => {
      add(`/metadata/attachments/${String(index)}/url`, attachment.url);
      add(`/metadata/attachments/${String(index)}/filename`, attachment.filename);
    });
  }
  if (content.channel === "whatsapp") {
    const metadata = content.metadata as WhatsappMetadata;
    metadata.parameters?.forEach((source, index) => {
      add(`/metadata/parameters/${String(index)}`, source);
    });
    if (metadata.header) {
      if (metadata.header.type === "text") add("/metadata/header/text", metadata.header.text);
      else add("/metadata/header/url", metadata.header.url);
    }
    metadata.buttons?.forEach((button, index) => {
      if (button.type === "url") add(`/metadata/buttons/${String(index)}/url`, button.url);
    });
  }
  return texts;
}

/** Characters of Liquid in all texts of a version. */
export function liquidCharacters(content: VersionContent): number {
  return liquidTexts(content).reduce((sum, { source }) => sum + source.length, 0);
}

/** Parses every text of a version; invalid ones are in `problems`, and then nothing can be rendered. */
export function tryCompile(
  content: VersionContent,
): { compiled: CompiledVersion; problems: [] } | { compiled: null; problems: TemplateProblem[] } {
  const parts = new Map<string, CompiledPart>();
  const problems: TemplateProblem[] = [];
  let size = 1_024;
  for (const { pointer, source, mode } of liquidTexts(content)) {
    try {
      parts.set(pointer, { pointer, source, parsed: parseText(source, mode) });
      // Measured: a parsed template is 8 to 15 times its text.
      size += source.length * 16;
    } catch (error) {
      problems.push(templateProblem(pointer, describeLiquidError(error)));
    }
  }
  return problems.length > 0
    ? { compiled: null, problems }
    : { compiled: { content, parts, size }, problems: [] };
}

/** A problem of the text at `pointer`; its detail names the position, for those who read nothing else. */
export function templateProblem(
  pointer: string,
  problem: Omit<LiquidProblem, "code"> & { code: string },
): TemplateProblem {
  const place =
    problem.line === null ? "" : ` (line ${String(problem.line)}, column ${String(problem.column)})`;
  return {
    pointer,
    code: problem.code,
    detail: problem.detail + place,
    line: problem.line,
    column: problem.column,
  };
}

/** Parses a stored version. Throws `invalid_template` for one that cannot be parsed, which no saved version is. */
export function compileVersion(content: VersionContent): CompiledVersion {
  const { compiled, problems } = tryCompile(content);
  if (!compiled) throw invalidTemplate(problems);
  return compiled;
}

export function invalidTemplate(problems: readonly TemplateProblem[]): DomainError {
  const errors = problems.slice(0, 50).map(({ pointer, code, detail }) => ({ pointer, code, detail }));
  const first = errors[0];
  return new DomainError(
    "invalid_template",
    first ? `${first.pointer}: ${first.detail}` : "The template is not valid.",
    {
      errors,
      extra: { problems: problems.slice(0, 50) },
    },
  );
}

/** A message ready for a provider. Members that a channel lacks are absent. */
export interface RenderedMessage {
  channel: Channel;
  /** One line without control characters. */
  subject?: string;
  text: string;
  html?: string;
  /** SMS: sender number or name. E-mail: address; `senderName` is the name beside it. */
  senderId?: string;
  senderName?: string;
  replyTo?: string;
  attachments?: { url: string; filename: string }[];
  /** SMS: the encoding by which segments are counted. */
  encoding?: "auto" | "GSM-7" | "UCS-2";
  whatsapp?: { template: string; language?: string; variables: Record<string, string> };
  /** WhatsApp: its category for prices; a text without an approved template is a service message. */
  category?: "authentication" | "utility" | "marketing" | "service";
  /** WhatsApp: header, footer and buttons. */
  header?: { type: "text" | "image" | "video" | "document"; value: string };
  footer?: string;
  buttons?: { type: "quick_reply" | "url" | "phone"; text: string; value?: string }[];
}

export interface RenderFailure extends LiquidProblem {
  /** The text that failed. */
  pointer: string;
}

export type RenderResult = { ok: true; message: RenderedMessage } | { ok: false; failure: RenderFailure };

class PartError extends Error {
  readonly pointer: string;
  constructor(pointer: string, cause: unknown) {
    super("a text could not be rendered", { cause });
    this.pointer = pointer;
  }
}

/** A header value: control characters and line separators become one space, so nothing can be injected. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** NUL and lone surrogates would be refused later; other control characters are noise in a message. */
function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "")
    .toWellFormed();
}

/**
 * Renders a version with a request's variables. Synchronous; never throws, whatever the values are: errors are a
 * failure that names the text. Values should have passed `checkVariables`; missing ones are nil.
 */
export function renderCompiled(
  compiled: CompiledVersion,
  variables: Readonly<Record<string, string>>,
  settings: RenderSettings,
): RenderResult {
  try {
    const { content } = compiled;
    const scope = buildScope(content.variables, variables, settings);
    if (content.channel === "sms") return { ok: true, message: renderSms(compiled, scope) };
    if (content.channel === "email") return { ok: true, message: renderEmail(compiled, scope, settings) };
    return { ok: true, message: renderWhatsapp(compiled, scope, variables) };
  } catch (error) {
    const problem = describeLiquidError(error instanceof PartError ? error.cause : error);
    return {
      ok: false,
      failure: { ...problem, pointer: error instanceof PartError ? error.pointer : "/body" },
    };
  }
}

function part(compiled: CompiledVersion, pointer: string, scope: Scope): string {
  const found = compiled.parts.get(pointer);
  if (!found) return "";
  try {
    return renderText(found.parsed, scope);
  } catch (error) {
    throw new PartError(pointer, error);
  }
}

/** The maximum length of a message: what carriers join (ten segments), and WhatsApp's own limit for a text. */
const textLimits = { sms: 1_600, whatsapp: 4_096 } as const;

function checkLength(text: string, limit: number): void {
  if (text.length > limit) throw new PartError("/body", new TooLongError(limit));
}

function renderSms(compiled: CompiledVersion, scope: Scope): RenderedMessage {
  const metadata = compiled.content.metadata as SmsMetadata;
  let text = cleanText(part(compiled, "/body", scope));
  // Numbers and money of many languages contain non-breaking spaces, which would double the segments.
  if (metadata.encoding !== "UCS-2") text = text.replace(/[\u00a0\u202f]/g, " ");
  if (metadata.encoding === "GSM-7") text = toGsmForms(text);
  checkLength(text, textLimits.sms);
  const message: RenderedMessage = { channel: "sms", text };
  if (metadata.senderId) message.senderId = metadata.senderId;
  if (metadata.encoding) message.encoding = metadata.encoding;
  return message;
}

function renderEmail(compiled: CompiledVersion, scope: Scope, settings: RenderSettings): RenderedMessage {
  const metadata = compiled.content.metadata as EmailMetadata;
  const preheader = oneLine(part(compiled, "/metadata/preheader", scope)).toWellFormed();
  const body = cleanText(part(compiled, "/body", scope));
  if (hasCodeAddress(body)) throw new PartError("/body", new NotAnAddressError());
  const message: RenderedMessage = {
    channel: "email",
    subject: oneLine(part(compiled, "/subject", scope)).toWellFormed(),
    html: htmlDocument(body, preheader, settings),
    text: metadata.text ? cleanText(part(compiled, "/metadata/text", scope)) : htmlToText(body),
  };
  if (metadata.from) message.senderId = metadata.from;
  if (metadata.fromName) message.senderName = metadata.fromName;
  if (metadata.replyTo) message.replyTo = metadata.replyTo;
  const attachments = metadata.attachments?.map((_, index) => {
    const at = `/metadata/attachments/${String(index)}`;
    return {
      url: webUrl(compiled, `${at}/url`, scope),
      filename:
        oneLine(part(compiled, `${at}/filename`, scope))
          .replace(/[\\/"<>|:*?]/g, "_")
          .toWellFormed() || "attachment",
    };
  });
  if (attachments && attachments.length > 0) message.attachments = attachments;
  return message;
}

function webUrl(compiled: CompiledVersion, pointer: string, scope: Scope): string {
  const url = part(compiled, pointer, scope).trim();
  if (!isWebUrl(url) || !url.isWellFormed()) throw new PartError(pointer, new NotAnAddressError());
  return url;
}

/** The preheader comes first, hidden; a fragment becomes a document, which runs as its language does. */
function htmlDocument(body: string, preheader: string, { locale, language }: RenderSettings): string {
  const hidden =
    preheader === ""
      ? ""
      : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>`;
  const bodyTag = body.search(/<body\b/i);
  if (bodyTag >= 0) {
    if (hidden === "") return body;
    const end = tagEnd(body, bodyTag);
    return body.slice(0, end) + hidden + body.slice(end);
  }
  if (/<html\b/i.test(body)) return body;
  // On both: some readers keep only what is inside the body.
  const direction = rightToLeft.has(locale.slice(0, 2)) ? ` dir="${language ? "rtl" : "auto"}"` : "";
  return `<!doctype html>\n<html lang="${escapeHtml(locale)}"${direction}><head><meta charset="utf-8"></head><body${direction}>${hidden}${body}</body></html>`;
}

/** Languages that are written from right to left. */
const rightToLeft = new Set("ar dv fa he iw ps sd ug ur yi".split(" "));

/** A value of an approved template, in which WhatsApp takes neither line breaks nor more than four spaces in a row. */
function templateValue(text: string): string {
  return closeDirections(oneLine(text).replace(/ {5,}/g, "    ").toWellFormed());
}

function renderWhatsapp(
  compiled: CompiledVersion,
  scope: Scope,
  variables: Readonly<Record<string, string>>,
): RenderedMessage {
  const { content } = compiled;
  const metadata = content.metadata as WhatsappMetadata;
  const message: RenderedMessage = { channel: "whatsapp", text: cleanText(part(compiled, "/body", scope)) };
  checkLength(message.text, textLimits.whatsapp);
  const category = metadata.templateName ? metadata.category : "service";
  if (category) message.category = category;
  if (metadata.templateName) {
    const values = metadata.parameters
      ? metadata.parameters.map((_, index) => part(compiled, `/metadata/parameters/${String(index)}`, scope))
      : content.variables.map(({ name }) => (Object.hasOwn(variables, name) ? (variables[name] ?? "") : ""));
    message.whatsapp = {
      template: metadata.templateName,
      ...(metadata.language ? { language: metadata.language } : {}),
      variables: Object.fromEntries(values.map((value, index) => [String(index + 1), templateValue(value)])),
    };
  }
  const { header } = metadata;
  if (header) {
    const value =
      header.type === "text"
        ? templateValue(part(compiled, "/metadata/header/text", scope))
        : webUrl(compiled, "/metadata/header/url", scope);
    message.header = { type: header.type, value };
  }
  if (metadata.footer) message.footer = metadata.footer;
  if (metadata.buttons && metadata.buttons.length > 0) {
    message.buttons = metadata.buttons.map((button, index) => {
      const at = `/metadata/buttons/${String(index)}/url`;
      if (button.type === "url")
        return { type: "url" as const, text: button.text, value: webUrl(compiled, at, scope) };
      if (button.type === "phone") return { type: "phone" as const, text: button.text, value: button.phone };
      return {
        type: "quick_reply" as const,
        text: button.text,
        ...(button.payload ? { value: button.payload } : {}),
      };
    });
  }
  return message;
}
