import { confirmByLink, readConfirmation } from "../consent/confirm.ts";
import type { AskedConfirmation } from "../consent/confirm.ts";
import { readConfirmationToken } from "../consent/confirmation-token.ts";
import { confirmationPageTexts } from "../consent/confirmation-texts.ts";
import { preferenceTexts } from "../consent/preference-texts.ts";
import { unsubscribeToken } from "../consent/unsubscribe-token.ts";
import { maskAddress } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { readForm } from "./read-form.ts";
import { recipientPage } from "./recipient-page.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

/**
 * The page on which the recipient of an e-mail agrees to what they have signed up for, known by their link alone. GET and HEAD
 * change nothing, whoever follows the link: the button posts. A link that is not ours, or that leads nowhere any more: 404, without a
 * look into the database where it is not ours.
 */
export async function serveConfirmation(
  request: Request,
  token: string,
  deps: { db: () => Db },
): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers = { "x-request-id": requestId };
  const link = readConfirmationToken(token);
  const words = preferenceTexts(link?.language ?? "");
  const { texts } = words;
  const plain = (status: number, title: string, text: string, more: Record<string, string> = {}) =>
    recipientPage(status, words, title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`, {
      ...headers,
      ...more,
    });
  const broken = () => plain(404, texts.broken, texts.brokenText);
  if (!link) return broken();
  try {
    let asked: AskedConfirmation | null;
    if (request.method === "POST") {
      if ((await readForm(request))?.get("form") !== "confirmation") {
        throw new DomainError("invalid_request", "Send the form of the page.");
      }
      asked = await confirmByLink(deps.db(), link, requestId);
    } else {
      asked = await readConfirmation(deps.db(), link, requestId);
    }
    if (!asked) return broken();
    const { logo } = await readBranding({ db: deps.db(), tenantId: link.tenantId });
    const { title, body } = shownOf(asked, words.language);
    const picture = logo
      ? `<img src="${escapeHtml(logo.path)}" alt="${escapeHtml(asked.organisation.name)}">`
      : `<p>${escapeHtml(asked.organisation.name)}</p>`;
    return recipientPage(200, words, title, picture + body, headers);
  } catch (error) {
    const known = asDomainError(error, "confirmation", requestId);
    if (known.code === "not_found") return broken();
    return plain(errorTable[known.code].status, texts.later, texts.laterText, {
      "retry-after": String(known.retryAfter ?? 5),
    });
  }
}

function shownOf(
  { organisation, sandbox, address, class: of, state }: AskedConfirmation,
  language: string,
): { title: string; body: string } {
  const texts = confirmationPageTexts(language, { organisation: organisation.name, class: of });
  const heading = (text: string) => `<h1>${escapeHtml(text)}</h1>`;
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const what = `<p class="said"><b>${escapeHtml(texts.wanted)}</b><br><bdi>${escapeHtml(maskAddress(address))}</bdi></p>`;
  if (state === "pending") {
    return {
      title: texts.heading,
      body: `${heading(texts.heading)}${paragraph(texts.question)}${what}
<form method="post"><input type="hidden" name="form" value="confirmation"><button type="submit">${escapeHtml(texts.button)}</button></form>`,
    };
  }
  if (state === "confirmed") {
    const token = unsubscribeToken({ tenantId: organisation.id, sandbox, address, class: of, language });
    return {
      title: texts.done,
      body: `${heading(texts.done)}${paragraph(texts.doneText)}${what}<p><a href="/api/app/unsubscribe/${token}">${escapeHtml(texts.end)}</a></p>`,
    };
  }
  const [title, text] =
    state === "expired" ? [texts.expired, texts.expiredText] : [texts.withdrawn, texts.withdrawnText];
  return { title, body: heading(title) + paragraph(text) };
}
