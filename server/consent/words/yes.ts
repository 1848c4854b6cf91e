/** Whether a message from a recipient is a yes to what they were asked. Pure; linear in the text, of which a bounded part is read. */
import { maxRead, sentencesOf } from "./fold.ts";
import { wordLanguages } from "./words.ts";
import type { WordLanguage } from "./words.ts";

/**
 * Ordinary words: they say something only while a question of ours waits. What people say to anything, such as OK, is not among them.
 */
const yes: Record<WordLanguage, string> = {
  en: "yes, yep, yeah, yes i agree, i agree, agree, agreed, confirm, confirmed, i confirm, accept, i accept",
  de: "ja, ja ich stimme zu, ich stimme zu, stimme zu, einverstanden, bin einverstanden, bestätigen, bestätigt, ich bestätige, bestätige",
  fr: "oui, oui j accepte, j accepte, accepte, d accord, je confirme, confirmer, confirme",
  es: "sí, si acepto, acepto, confirmo, confirmar, de acuerdo",
  it: "sì, si accetto, accetto, confermo, conferma, confermare, d accordo",
  pt: "sim, sim aceito, aceito, confirmo, confirmar, concordo, de acordo",
  nl: "ja, ja ik ga akkoord, akkoord, ik ga akkoord, bevestig, ik bevestig, bevestigen",
  pl: "tak, zgadzam się, zgoda, potwierdzam, wyrażam zgodę",
  tr: "evet, onaylıyorum, kabul, kabul ediyorum, onay, onayla",
  sv: "ja, ja jag samtycker, jag samtycker, samtycker, bekräfta, bekräftar, jag bekräftar, godkänner",
  ar: "نعم, أوافق, نعم أوافق, موافق, موافقة, أؤكد, تأكيد, اجل",
  hi: "हाँ, हां, हा, जी हाँ, जी हां, सहमत, सहमत हूँ, मैं सहमत हूँ, haan, haan ji",
};

const listOf = (text: string) => text.split(",").map((word) => word.trim());
const phraseOf = (word: string) => sentencesOf(word).flat().join(" ");

const known = new Map<string, { word: string; language: WordLanguage }>();
for (const language of wordLanguages) {
  for (const word of listOf(yes[language])) {
    if (!known.has(phraseOf(word))) known.set(phraseOf(word), { word, language });
  }
}
/** Politeness that may follow it. */
const polite = new Set(
  listOf(
    "please, thanks, thank, you, thx, bitte, danke, gerne, gern, schön, merci, svp, stp, por, favor, gracias, grazie, per, favore, obrigado, obrigada, alstublieft, graag, dank, je, wel, bedankt, proszę, dziękuję, lütfen, teşekkürler, tack, gärna, شكرا, من, فضلك, धन्यवाद, जी",
  ).map(phraseOf),
);

/** A question, or a sign that takes it back. */
const doubt = /[?؟]|👎|🖕|🚫|❌|:-?\(/u;

/**
 * The word of a message that is a yes and nothing else, politeness after it aside; null for any other. What asks or says more is no
 * yes: nobody agrees by mistake.
 */
export function yesIn(text: string): { word: string; language: WordLanguage } | null {
  if (text.length > maxRead || doubt.test(text)) return null;
  const words = sentencesOf(text).flat();
  for (let size = Math.min(words.length, 5); size >= 1; size--) {
    const found = known.get(words.slice(0, size).join(" "));
    if (!found) continue;
    const rest = words.slice(size);
    return rest.every((word) => polite.has(word)) ? found : null;
  }
  return null;
}
