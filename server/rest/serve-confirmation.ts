import { confirmByLink, readConfirmation } from "../consent/confirm.ts";
import type { AskedConfirmation } from "../consent/confirm.ts";
import { readConfirmationToken } from "../consent/confirmation-token.ts";
import { confirmationPageTexts } from "../consent/confirmation-texts.ts";
import { preferenceTexts } from "../consent/preference-texts.ts";
import { unsubscribeToken } from "../consent/unsubscribe-token.ts";
import { maskAddress } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { readForm } from "./read-form.ts";
import { serveRecipientPage } from "./recipient-page.ts";

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
  const link = readConfirmationToken(token);
  const words = preferenceTexts(link?.language ?? "");
  return serveRecipientPage(request, "confirmation", words, async (requestId) => {
    if (!link) return null;
    let asked: AskedConfirmation | null;
    if (request.method === "POST") {
      if ((await readForm(request))?.get("form") !== "confirmation") {
        throw new DomainError("invalid_request", "Send the form of the page.");
      }
      asked = await confirmByLink(deps.db(), link, requestId);
    } else {
      asked = await readConfirmation(deps.db(), link, requestId);
    }
    if (!asked) return null;
    const { logo } = await readBranding({ db: deps.db(), tenantId: link.tenantId });
    const { title, body } = shownOf(asked, words.language);
    const name = escapeHtml(asked.organisation.name);
    const picture = logo ? `<img src="${escapeHtml(logo.path)}" alt="${name}">` : `<p>${name}</p>`;
    return { title, body: picture + body };
  });
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
