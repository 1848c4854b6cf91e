/** What a provider's answer to a message means by the connection's settings. */
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { AnswerJudgement, Connection, SendOutcome } from "../adapter.ts";
import { refusedOutcome, unreadableAnswer } from "../http-call.ts";
import { providerText } from "../provider-text.ts";
import { priceOf, textOf } from "../untrusted.ts";
import { findPattern } from "./answer-pattern.ts";
import { decodeText } from "./answer-text.ts";
import { secretsOf } from "./http-request.ts";
import { holdsStatus } from "./http-settings.ts";
import { StructuredText } from "./read-answer.ts";
import type { HttpCredentials, HttpSettings } from "./schemas.ts";

type HttpConnection = Connection<HttpCredentials, HttpSettings>;

/** An answer as the settings see it. */
type Said = Pick<OutboundResponse, "status" | "headers" | "truncated"> & {
  text: string;
  structure: StructuredText;
};

/** Where a value is in an answer: the first of these that has one. */
type Places = { path?: string | undefined; pattern?: string | undefined; header?: string | undefined };

function understand(answer: OutboundResponse): Said {
  const text = decodeText(answer.body, answer.headers["content-type"]);
  const { status, headers, truncated } = answer;
  return { status, headers, truncated, text, structure: new StructuredText(text) };
}

function valueAt(said: Said, { path, pattern, header }: Places): string | undefined {
  const found = [
    () => (path === undefined ? undefined : said.structure.read(path)),
    () => (pattern === undefined ? undefined : findPattern(pattern, said.text)),
    () => (header === undefined ? undefined : said.headers[header.toLowerCase()]),
  ];
  for (const read of found) {
    const value = read()?.trim();
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}

const idPlaces = (settings: HttpSettings): Places => ({
  path: settings.idPath,
  pattern: settings.idPattern,
  header: settings.idHeader,
});

function isGiven({ path, pattern, header }: Places): boolean {
  return path !== undefined || pattern !== undefined || header !== undefined;
}

/** Whether the settings read a message id from answers. */
export function readsId(settings: HttpSettings): boolean {
  return isGiven(idPlaces(settings));
}

/** Whether anything but the status decides about success. */
function looksInside(settings: HttpSettings): boolean {
  const { successPath, successText, successPattern } = settings;
  return successPath !== undefined || successText !== undefined || successPattern !== undefined;
}

/** Whether the body says that the message was taken, as far as the settings ask; `unreadable`: it does not say. */
function success(settings: HttpSettings, said: Said): "yes" | "no" | "unreadable" {
  const { successPath, successValue, successText, successPattern } = settings;
  if (successPath !== undefined && !said.structure.fits(successPath)) return "unreadable";
  const holds =
    (successPath === undefined ||
      (successValue === undefined
        ? said.structure.has(successPath)
        : said.structure.read(successPath) === successValue)) &&
    (successText === undefined || said.text.includes(successText)) &&
    (successPattern === undefined || findPattern(successPattern, said.text) !== undefined);
  if (holds) return "yes";
  // Nothing, a half, or the page of something in between says nothing about the message.
  const isText = successPath === undefined;
  const isNone =
    said.text.trim() === "" || said.truncated || /^\s*<(!doctype\s+html|html)\b/i.test(said.text);
  return isText && isNone && valueAt(said, errorPlaces(settings).words) === undefined ? "unreadable" : "no";
}

const unclear: SendOutcome = {
  kind: "unknown",
  code: "provider_answer_unreadable",
  detail: "The provider's answer does not say whether it took the message",
};

/** What the answer means. `final`: no receipt will follow. */
export function outcomeOf(
  { settings, credentials }: HttpConnection,
  answer: OutboundResponse,
  final: boolean,
): SendOutcome {
  const said = understand(answer);
  if (holdsStatus(settings.successStatuses, said.status)) {
    const verdict = success(settings, said);
    if (verdict === "unreadable") return unclear;
    if (verdict === "no") return notTaken(settings, credentials, said);
    const id = readsId(settings) ? textOf(valueAt(said, idPlaces(settings)), 255) : null;
    if (id === undefined) return unreadableAnswer;
    const { pricePath } = settings;
    const price =
      pricePath === undefined ? undefined : priceOf(said.structure.read(pricePath), settings.priceCurrency);
    return { kind: "sent", providerMessageId: id, final, ...(price ? { price } : {}) };
  }
  const known =
    holdsStatus(settings.retryStatuses, said.status) && said.status !== 429
      ? {
          retry: "later" as const,
          code: "provider_unavailable" as const,
          detail: `The provider asks to come again, with status ${String(said.status)}`,
        }
      : undefined;
  return refusedOutcome(answer, wordsOf(settings, credentials, said), known);
}

/** A successful status whose answer says that the message was not accepted. */
function notTaken(settings: HttpSettings, credentials: HttpCredentials, said: Said): SendOutcome {
  return {
    kind: "not_sent",
    retry: "failover",
    code: "provider_rejected",
    detail: "The provider's answer says that it did not take the message",
    providerCode: String(said.status),
    ...wordsOf(settings, credentials, said),
  };
}

function errorPlaces(settings: HttpSettings): { words: Places; code: Places } {
  return {
    words: { path: settings.errorPath, pattern: settings.errorPattern, header: settings.errorHeader },
    code: {
      path: settings.errorCodePath,
      pattern: settings.errorCodePattern,
      header: settings.errorCodeHeader,
    },
  };
}

/** The provider's words about an error and its code for it, without any secret that it may have repeated. */
function wordsOf(
  settings: HttpSettings,
  credentials: HttpCredentials,
  said: Said,
): { providerMessage?: string; providerCode?: string } {
  const secrets = [...Object.values(secretsOf(credentials.secrets)), credentials.callbackSecret ?? ""];
  const shown = (places: Places): string | undefined => {
    const found = valueAt(said, places);
    if (found === undefined) return undefined;
    return providerText(
      secrets.reduce((text, secret) => (secret === "" ? text : text.replaceAll(secret, "[secret]")), found),
    );
  };
  const places = errorPlaces(settings);
  const words = shown(places.words);
  const code = shown(places.code)?.slice(0, 64);
  return {
    ...(words === undefined || words === "" ? {} : { providerMessage: words }),
    ...(code === undefined || code === "" ? {} : { providerCode: code }),
  };
}

/** What settings let pass unnoticed, whatever an answer is; sentences. */
export function settingsWarnings(settings: HttpSettings): string[] {
  const warnings: string[] = [];
  if (!looksInside(settings) && !readsId(settings)) {
    warnings.push(
      `Every answer with status ${settings.successStatuses} counts as sent, whatever it says. If the provider reports errors with such a status, say how success looks: by a path, a text or a pattern.`,
    );
  }
  if (!readsId(settings)) {
    warnings.push(
      "No message ID is read from answers, so a message cannot be found at the provider, and receipts are matched by {{ callbackUrl }} alone.",
    );
  }
  return warnings;
}

const looksBad =
  /\b(err|errors?|errno|fail|failed|failure|invalid|denied|unauthori[sz]ed|forbidden|reject(?:ed)?|exception|insufficient|not allowed|wrong)\b/i;
/** As they stand in the answer to a message that was taken. */
const noErrors =
  /["'<]\w{0,20}(?:err|error|errors|errno|error_?code|error_?message|fail(?:ed|ures?)?)["'>]\s{0,9}[:=]?\s{0,9}(?:null|false|0|""|\[\]|\{\}|"0"|<\/)/gi;

/** How an answer to a message would be judged, and what a person should look at twice. */
export function judgeAnswer(
  connection: HttpConnection,
  answer: OutboundResponse,
  final: boolean,
): AnswerJudgement {
  const { settings } = connection;
  const outcome = outcomeOf(connection, answer, final);
  const { text } = understand(answer);
  const warnings: string[] = [];
  if (outcome.kind === "sent") {
    const start = text.slice(0, 2_000);
    const bad = looksBad.exec(start.replaceAll(noErrors, ""))?.[0];
    if (bad !== undefined && !looksInside(settings)) {
      warnings.push(
        `It would count as sent because of its status alone, but the answer says “${bad}”: say how success looks, by a path, a text or a pattern.`,
      );
    } else if (bad !== undefined) {
      warnings.push(`It would count as sent, but the answer says “${bad}”.`);
    }
    if (outcome.providerMessageId === null) {
      warnings.push(
        text.trim() === ""
          ? "The answer is empty and no message ID is read: nothing shows that the provider has the message."
          : "No message ID is read from it.",
      );
    }
    if (settings.pricePath !== undefined && outcome.price === undefined)
      warnings.push("There is no price where the settings look for it.");
  }
  if (outcome.kind === "unknown") {
    warnings.push(
      "After such an answer a message may or may not have arrived: it is not sent through another connection, and ends as undetermined unless a receipt comes.",
    );
  }
  if (outcome.kind === "not_sent" && holdsStatus(settings.successStatuses, answer.status)) {
    const { words, code } = errorPlaces(settings);
    if ((isGiven(words) || isGiven(code)) && outcome.providerMessage === undefined)
      warnings.push("There are no words about the error where the settings look for them.");
  }
  return { outcome, warnings };
}
