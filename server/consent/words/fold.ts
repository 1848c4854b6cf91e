/** What a message is read for; further words of a longer one do not count, and it is no mere keyword. */
export const maxRead = 500;

const special: Readonly<Record<string, string>> = {
  ß: "ss",
  ł: "l",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ı: "i",
  đ: "d",
  ى: "ي",
  ة: "ه",
  ی: "ي",
  ک: "ك",
};

/** One spelling of words: case, width, accents, invisible characters and drawn-out letters do not matter. Linear. */
export function fold(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFD")
      // Accents of Latin letters, vowel signs and hamza of Arabic, the dot below of Hindi; not Hindi's vowels.
      .replaceAll(/[\u0300-\u036f\u0640\u064b-\u0655\u0670\u093c]|\p{Cf}|[\ufe00-\ufe0f]/gu, "")
      .replaceAll(/[ßłøæœıđىةیک]/g, (letter) => special[letter] ?? letter)
      .replaceAll(/(\p{L})\1{2,}/gu, "$1")
      .normalize("NFC")
  );
}

/** Sentences, each of its words. Letters that stand alone, as in "S.T.O.P", are one word. */
export function sentencesOf(text: string): string[][] {
  const folded = fold(text);
  const letters = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (letters.length >= 3 && letters.every((letter) => /^[a-z]$/.test(letter))) return [[letters.join("")]];
  return folded
    .split(/[.!?;:,\n\r…،؛؟।]+/u)
    .map((sentence) => sentence.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0);
}
