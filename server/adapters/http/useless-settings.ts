/** Combinations of settings that can never do what they say. */
import { patternProblem } from "./answer-pattern.ts";
import { readsId } from "./judge-answer.ts";
import type { HttpSettings } from "./schemas.ts";

const patterns = ["successPattern", "idPattern", "errorPattern", "errorCodePattern"] as const;

/** What is wrong with settings that are to be saved, by field; none of it may stop what is stored from sending. */
export function uselessSettings(settings: HttpSettings): { path: string; message: string }[] {
  const problems: { path: string; message: string }[] = [];
  const refuse = (path: keyof HttpSettings, message: string) => problems.push({ path, message });
  for (const name of patterns) {
    const source = settings[name];
    const problem = source === undefined ? null : patternProblem(source);
    if (problem !== null) refuse(name, problem);
  }
  if (settings.successValue !== undefined && settings.successPath === undefined)
    refuse("successPath", "Enter the success field: without it, the expected value is never compared");
  if (settings.recognisesRepeats && !names(settings, ["idempotencyKey", "notificationId"])) {
    refuse(
      "recognisesRepeats",
      "The request has no {{ idempotencyKey }}, so the provider cannot detect duplicates and would send a message twice",
    );
  }
  if (settings.receiptStatusPath === undefined) {
    for (const name of ["receiptIdPath", "receiptSignatureHeader"] as const) {
      if (settings[name] !== undefined)
        refuse("receiptStatusPath", "Receipts need the status field: without it, none is accepted");
    }
  } else if (
    !names(settings, ["callbackUrl"]) &&
    (settings.receiptIdPath === undefined || !readsId(settings))
  ) {
    refuse(
      settings.receiptIdPath === undefined ? "receiptIdPath" : "idPath",
      "Receipts could not be matched to their messages: put {{ callbackUrl }} into the request, or read the message ID from both the response and the receipt",
    );
  }
  return problems.filter(
    ({ path, message }, index) =>
      problems.findIndex((other) => other.path === path && other.message === message) === index,
  );
}

/** Whether a template of the request names one of these variables. */
function names({ method, url, headers, body }: HttpSettings, variables: readonly string[]): boolean {
  const templates = [url, headers, method === "GET" ? "" : body];
  return variables.some((variable) => templates.some((template) => template.includes(variable)));
}
