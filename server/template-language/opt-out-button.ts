/** The button of a WhatsApp message by which its recipient opts out. Safe in the browser. */

/** What WhatsApp hands back when it is tapped, whatever is written on it. */
export const optOutPayload = "STOP";

/** WhatsApp takes no more buttons in a template. */
export const mostButtons = 10;

interface Button {
  type: string;
  text: string;
  payload?: string | undefined;
}

const payloads = new Set([
  "stop",
  "stop all",
  "stopall",
  "stop promotions",
  "stop marketing",
  "unsubscribe",
  "opt out",
  "optout",
]);
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();

/** Whether a payload is a no. Shorter than what recipients may write: a button "Cancel" cancels an order. */
export function isOptOutPayload(payload: string): boolean {
  return payload.length <= 40 && payloads.has(plain(payload));
}

export function isOptOutButton({ type, text, payload }: Button): boolean {
  return type === "quick_reply" && isOptOutPayload(payload ?? text);
}

/** What is written on it, in the language of the template; 25 characters fit. */
const texts: Record<string, string> = {
  en: "Stop promotions",
  de: "Werbung stoppen",
  fr: "Arrêter les promotions",
  es: "Detener promociones",
  it: "Stop promozioni",
  pt: "Parar promoções",
  nl: "Stop promoties",
  pl: "Zatrzymaj promocje",
  tr: "Promosyonları durdur",
  sv: "Stoppa reklam",
  ar: "إيقاف العروض",
  hi: "प्रमोशन बंद करें",
};

/** The buttons with one to opt out; WhatsApp wants quick replies next to each other, so it goes behind the others. */
export function withOptOutButton<T extends Button>(buttons: readonly T[], language: string): (T | Button)[] {
  const text = texts[language.slice(0, 2).toLowerCase()] ?? texts.en ?? "";
  const last = buttons.findLastIndex(({ type }) => type === "quick_reply");
  return buttons.toSpliced(last + 1, 0, { type: "quick_reply", text, payload: optOutPayload } as T);
}
