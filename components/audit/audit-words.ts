import { humanize } from "../ui/format.ts";

/** Words that are not written as they are spoken. */
const spelling: readonly (readonly [RegExp, string])[] = [
  [/\bapi\b/gi, "API"],
  [/\bai\b/gi, "AI"],
  [/\bwhatsapp\b/gi, "WhatsApp"],
  [/\bscim\b/gi, "SCIM"],
];

function spell(words: string): string {
  return spelling.reduce((text, [pattern, right]) => text.replaceAll(pattern, right), words);
}

/** "api_key.revoked" → "API key revoked". */
export function actionLabel(action: string): string {
  return spell(humanize(action.replaceAll(".", "_")));
}

/** "api_key" → "API key". */
export function targetLabel(type: string): string {
  return spell(humanize(type));
}

/** "processingRegion" → "Processing region"; places in lists stay. */
export function memberLabel(path: string): string {
  return path
    .split(".")
    .map((part) =>
      spell(
        humanize(
          part
            .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
            .toLowerCase()
            .replace(/ ids?$/, ""),
        ),
      ),
    )
    .join(" › ");
}

/** Pages of things that have one. */
const pages: Record<string, (id: string) => string> = {
  template: (id) => `/templates/${id}`,
  provider: (id) => `/providers/${id}`,
  webhook: (id) => `/webhooks/${id}`,
  notification: (id) => `/messages/${id}`,
  promotion: (id) => `/pipeline/promotions/${id}`,
};

/** Where the thing of an event can be looked at; null: nowhere. */
export function targetPath(type: string, id: string | null): string | null {
  return id === null ? null : (pages[type]?.(id) ?? null);
}
