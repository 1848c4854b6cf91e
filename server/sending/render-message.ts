import type { Attachment, OutboundMessage } from "../adapters/adapter.ts";
import { formatMailbox } from "../adapters/email-message.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { confirmationUrl } from "../consent/confirmation-token.ts";
import { defaultSender, maySendAs, notAllowed } from "../connections/sender-ownership.ts";
import { whatsappCategoryOf } from "../costs/estimate-cost.ts";
import type { PricedEstimate } from "../costs/estimate-cost.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { shortLinks } from "../links/short-links.ts";
import type { LinkProblem } from "../links/short-links.ts";
import { isShortenable } from "../links/shortener.ts";
import { renderVersion } from "../rendering/render-pool.ts";
import type { EmailMetadata } from "../template-language/metadata.ts";
import type { RenderedMessage as RenderedTemplate } from "../template-language/render.ts";
import { smsSegments } from "../template-language/segments.ts";
import { getStoredVersion } from "../templates/resolve-template.ts";
import { hasConfirmationLink, replyPlace } from "../templates/built-in-templates.ts";
import type { TenantSettings } from "../tenancy/schemas.ts";
import { attachmentLimits, attachmentBudget } from "./attachment-budget.ts";
import type { MessageReason } from "./notification-change.ts";
import { priceMessage } from "./price-message.ts";

/** What rendering needs of a notification. */
export interface Renderable {
  channel: Channel;
  recipient: string;
  region: string;
  language: string;
  variables: Record<string, string>;
  templateId: string | null;
  templateVersion: number | null;
}

/** A message that is about to be sent, with what its short links need. */
export interface Sendable extends Renderable {
  id: string;
  unitId: string;
  environmentId: string;
  sandbox: boolean;
  dataRegion: string;
  settings: TenantSettings;
  /** WhatsApp: the category that its approved template has at WhatsApp by now, which is what is charged; null: not known. */
  category?: string | null;
}

/** A message in the form in which an adapter takes it, and what it will cost. */
export interface RenderedMessage {
  outbound: Pick<
    OutboundMessage,
    | "senderId"
    | "subject"
    | "text"
    | "html"
    | "replyTo"
    | "encoding"
    | "whatsapp"
    | "header"
    | "footer"
    | "buttons"
    | "attachments"
  >;
  /** The number or name that it is sent from, where it is known and recipients can reply to it. */
  from: string | undefined;
  /** SMS: how many segments; null on other channels. */
  segments: number | null;
  encoding: string | null;
  estimate: PricedEstimate | undefined;
  /** Why an address in it stayed long. */
  linkProblem: LinkProblem | null;
}

/** Why there is no message; `retryAt`: when to try again, ms since the epoch. */
export type NotRendered = { ok: false; failure: MessageReason; retryAt?: number };

export type RenderOutcome = { ok: true; message: RenderedMessage } | NotRendered;

type TextOutcome = { ok: true; rendered: RenderedTemplate } | NotRendered;

/**
 * Renders the text alone, without a connection: for previews and explanations.
 * @param shorten gives the short form of an address; without it addresses stay long
 */
export async function renderText(
  ctx: Pick<Ctx, "db" | "tenantId">,
  message: Renderable,
  shorten?: (url: string) => string,
): Promise<TextOutcome> {
  if (message.templateId === null || message.templateVersion === null) {
    return { ok: false, failure: { code: "unknown_template", detail: "The message has no template." } };
  }
  const version = await getStoredVersion(ctx, message.templateId, message.templateVersion);
  if (!version)
    return { ok: false, failure: { code: "unknown_template", detail: "The template no longer exists." } };
  const result = await renderVersion(version, message.variables, {
    // A text that stands in for one in the recipient's language is of one piece, dates included.
    locale: `${version.language ?? message.language}-${message.region}`,
    language: version.language,
    timezone: "UTC",
    shorten,
  });
  if (result.ok) return { ok: true, rendered: result.message };
  if ("retryAt" in result) {
    const detail = "The organisation's templates take much time to render just now.";
    return { ok: false, failure: { code: "template_too_slow", detail }, retryAt: result.retryAt };
  }
  return {
    ok: false,
    failure: {
      code: result.failure.code === "too_slow" ? "template_too_slow" : "render_failed",
      detail: `The template could not be rendered at ${result.failure.pointer}: ${result.failure.detail}`,
    },
  };
}

/**
 * Renders a message with its short links. Rendering is synchronous, so a template that shortens addresses is rendered
 * twice: once to collect the addresses, and again with their links.
 */
async function renderWithLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  message: Sendable,
  http: OutboundClient,
): Promise<{ text: TextOutcome; linkProblem: LinkProblem | null }> {
  const addresses = new Set<string>();
  const linked = withConfirmationLink(ctx.tenantId, message);
  const first = await renderText(ctx, linked, (url) => {
    if (isShortenable(url)) addresses.add(url);
    return url;
  });
  if (addresses.size === 0) return { text: first, linkProblem: null };
  const { links, problem } = await shortLinks(
    ctx,
    {
      notificationId: message.id,
      environmentId: message.environmentId,
      sandbox: message.sandbox,
      tenant: { dataRegion: message.dataRegion, settings: message.settings },
    },
    addresses,
    { http },
  );
  return {
    text: await renderText(ctx, linked, (url) => links.get(url) ?? url),
    linkProblem: problem,
  };
}

/** The link by which a recipient agrees is made here: only they get it, and nobody finds it in what is stored or shown. */
export function withConfirmationLink<Message extends Renderable & { id: string }>(
  tenantId: string,
  message: Message,
): Message {
  if (!hasConfirmationLink(message.templateId)) return message;
  const link = confirmationUrl(env().publicUrl, {
    tenantId,
    messageId: message.id,
    language: message.language,
  });
  return { ...message, variables: { ...message.variables, link } };
}

/**
 * Renders a message for the connection that is to carry it; attachments are fetched through the guarded client and take
 * room in `attachmentBudget`, which the caller releases whether the message is sent or not. Without room nothing is
 * rendered, and no short link is made.
 */
export async function renderMessage(
  ctx: Pick<Ctx, "db" | "tenantId">,
  message: Sendable,
  connection: ProviderConnection,
  http: OutboundClient,
): Promise<RenderOutcome> {
  if ((await hasAttachments(ctx, message)) && !attachmentBudget.reserve(message, ctx.tenantId))
    return noRoom(ctx);
  const { text: result, linkProblem } = await renderWithLinks(ctx, message, http);
  if (!result.ok) return result;
  const { rendered } = result;
  const outbound: RenderedMessage["outbound"] = { text: rendered.text };
  if (rendered.senderId !== undefined && !maySendAs(connection, ownerOf(message), rendered.senderId)) {
    const detail = notAllowed(rendered.senderId, connection.name);
    return { ok: false, failure: { code: "sender_not_allowed", detail } };
  }
  const sender = rendered.senderId ?? answersAs(connection, message) ?? senderOf(connection, message);
  if (sender !== undefined) {
    outbound.senderId =
      rendered.senderName && rendered.channel === "email"
        ? formatMailbox({ name: rendered.senderName, address: sender })
        : sender;
  }
  if (rendered.subject !== undefined) outbound.subject = rendered.subject;
  if (rendered.html !== undefined) outbound.html = rendered.html;
  if (rendered.replyTo !== undefined) outbound.replyTo = rendered.replyTo;
  if (rendered.encoding !== undefined) outbound.encoding = rendered.encoding;
  if (rendered.whatsapp) outbound.whatsapp = rendered.whatsapp;
  if (rendered.header) outbound.header = rendered.header;
  if (rendered.footer !== undefined) outbound.footer = rendered.footer;
  if (rendered.buttons) outbound.buttons = rendered.buttons;
  if (rendered.attachments) {
    const fetched = await fetchAttachments(http, rendered.attachments);
    if (!fetched.ok) return fetched;
    outbound.attachments = fetched.attachments;
    attachmentBudget.shrink(
      message,
      fetched.attachments.reduce((sum, { content }) => sum + content.length, 0),
    );
  }
  const { segments, encoding } = segmentsOf(rendered);
  return {
    ok: true,
    message: {
      outbound,
      from: message.channel === "email" ? undefined : sender,
      segments,
      encoding,
      estimate: await priceMessage(ctx, connection, {
        channel: message.channel,
        recipient: message.recipient,
        sandbox: message.sandbox,
        category: whatsappCategoryOf(message.category ?? "") ?? rendered.category,
        segments,
        at: new Date(),
      }),
      linkProblem,
    },
  };
}

/** SMS segments as the provider will bill them; null for other channels. */
export function segmentsOf(rendered: RenderedTemplate): { segments: number | null; encoding: string | null } {
  if (rendered.channel !== "sms") return { segments: null, encoding: null };
  const counted = smsSegments(rendered.text, rendered.encoding);
  return { segments: counted.segments, encoding: counted.encoding };
}

const ownerOf = (message: Pick<Sendable, "channel" | "unitId">) => ({
  channel: message.channel,
  unitId: message.unitId,
});

/** The connection's sender for a message that names none; see defaultSender. */
export function senderOf(
  connection: Pick<ProviderConnection, "senders">,
  message: Pick<Sendable, "channel" | "region" | "unitId">,
): string | undefined {
  return defaultSender(connection, { ...ownerOf(message), region: message.region });
}

/** The number that a recipient wrote to, for an answer to that. */
function answersAs(
  connection: ProviderConnection,
  message: Pick<Sendable, "channel" | "unitId" | "templateId" | "variables">,
): string | undefined {
  const from = replyPlace(message)?.from;
  return from && maySendAs(connection, ownerOf(message), from) ? from : undefined;
}

async function hasAttachments(ctx: Pick<Ctx, "db" | "tenantId">, message: Sendable): Promise<boolean> {
  if (message.channel !== "email" || message.templateId === null || message.templateVersion === null)
    return false;
  const version = await getStoredVersion(ctx, message.templateId, message.templateVersion);
  const { attachments } = (version?.content.metadata ?? {}) as Partial<EmailMetadata>;
  return attachments !== undefined && attachments.length > 0;
}

/** Room is released when another message has been sent, which takes seconds. */
function noRoom({ tenantId }: Pick<Ctx, "tenantId">): NotRendered {
  const detail = "Too many attachments are being sent.";
  return {
    ok: false,
    failure: { code: "attachment_unavailable", detail },
    retryAt: attachmentBudget.retryAt(tenantId),
  };
}

/** The longest that fetching all attachments of a message may take, ms: meanwhile it holds their room. */
const attachmentsMs = 15_000;

async function fetchAttachments(
  http: OutboundClient,
  wanted: { url: string; filename: string }[],
): Promise<{ ok: true; attachments: Attachment[] } | NotRendered> {
  const attachments: Attachment[] = [];
  const until = performance.now() + attachmentsMs;
  let left: number = attachmentLimits.message;
  for (const { url, filename } of wanted) {
    try {
      const timeoutMs = Math.max(1, Math.ceil(until - performance.now()));
      const response = await http.request({ method: "GET", url, timeoutMs, maxBodyBytes: left });
      if (response.status !== 200)
        return attachmentFailure(filename, `its address answered ${String(response.status)}`);
      left -= response.body.length;
      attachments.push({
        filename,
        contentType: response.headers["content-type"]?.split(";")[0] ?? "application/octet-stream",
        content: response.body,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return attachmentFailure(filename, error.message);
    }
  }
  return { ok: true, attachments };
}

function attachmentFailure(filename: string, why: string): NotRendered {
  return {
    ok: false,
    failure: {
      code: "attachment_unavailable",
      detail: `The attachment ${filename} could not be fetched: ${why}.`,
    },
  };
}
