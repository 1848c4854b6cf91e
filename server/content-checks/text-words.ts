/** Words of a text, and the forms in which look-alike characters, figures for letters and marks are undone. */

/** A word and its place in the text that it was read from. */
export interface Word {
  start: number;
  end: number;
  /** Small letters. */
  exact: string;
  /** Small ASCII letters where there are any: without accents, look-alikes and apostrophes. */
  folded: string;
}

/** Longer ones are no words. */
const longest = 40;

/** Cyrillic and Greek letters that look like Latin ones. */
const lookAlikes = new Map(
  Array.from("аaвbсcеeнhіiјjкkмmоoрpѕsтtуyхxԁdԛqԝwһhɡgєeззпnѵvүyαaβbεeικκkνvοoρpτtυuχxγyωwηnіi").reduce<
    [string, string][]
  >((pairs, char, index, all) => {
    if (index % 2 === 0) pairs.push([char, all[index + 1] ?? char]);
    return pairs;
  }, []),
);
const special: Record<string, string> = {
  ß: "ss",
  ł: "l",
  ı: "i",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ŋ: "n",
};

/** Small letters without accents; letters of other scripts that look like Latin ones as those, beside Latin ones. */
export function fold(text: string): string {
  let small = text.toLowerCase();
  if (/^[a-z]*$/.test(small)) return small;
  const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(small);
  if (foreign && (/[a-z]/.test(small) || Array.from(small).every((char) => lookAlikes.has(char)))) {
    small = Array.from(small, (char) => lookAlikes.get(char) ?? char).join("");
  }
  return small
    .normalize("NFD")
    .replace(/\p{M}{1,32}/gu, "")
    .replace(/[ßłıøæœđðþŋ]/g, (char) => special[char] ?? char);
}

/** The words of a text in order: letters and digits; apostrophes part words, except in English endings. */
export function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(
    /[\p{L}\p{M}\p{N}]{1,400}(?:['’ʼ](?:t|re|m|ve|ll|s|d)(?![\p{L}\p{M}\p{N}]))?/giu,
  )) {
    const [whole] = match;
    if (whole.length > longest) continue;
    const exact = whole.toLowerCase().replace(/['’ʼ]/g, "");
    // "women's" is said of women.
    const bare = /['’ʼ]s$/i.test(whole) ? exact.slice(0, -1) : exact;
    found.push({ start: match.index, end: match.index + whole.length, exact, folded: fold(bare) });
  }
  return found;
}

const leet: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
  "€": "e",
  "£": "l",
  "+": "t",
  "(": "c",
  "¡": "i",
  "§": "s",
  "¥": "y",
  "₣": "f",
};

/** A word in disguise, undone: figures for letters, spaces or marks between letters, letters repeated or hidden. */
export interface Disguised {
  start: number;
  end: number;
  /** What it may read as, folded. `.` stands for one hidden letter. */
  readings: string[];
}

/** Words that are not written as words are. */
export function disguisedWords(text: string): Disguised[] {
  const found: Disguised[] = [];
  // Figures and signs among letters, and hidden letters.
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}@$!|*#€£+(¡§¥₣_%]{3,24}/gu)) {
    const [whole] = match;
    const letters = whole.match(/\p{L}/gu)?.length ?? 0;
    const others = whole.length - letters;
    const end = match.index + whole.length;
    if (others > 0 && letters > 0 && letters >= others - 1) {
      const hidden = whole.match(/[*#_%]/g)?.length ?? 0;
      const bare = whole.replace(/^[*#_%!|+(]{1,24}|[*#_%!|+(]{1,24}$/g, "");
      const readings = [readLeet(bare, "i"), readLeet(bare, "l")];
      if (hidden === 0 || (hidden <= letters && /^\p{L}/u.test(bare) && /\p{L}$/u.test(bare))) {
        if (letters + hidden >= 3) found.push({ start: match.index, end, readings: distinct(readings) });
      }
      if (!/[*#_%]/.test(bare) && bare !== whole)
        found.push({ start: match.index, end, readings: [fold(bare)] });
    }
    if (/(\p{L})\1\1/iu.test(whole)) {
      const folded = readLeet(whole, "i");
      found.push({
        start: match.index,
        end,
        readings: [
          folded.replace(/(.)\1+/g, "$1"),
          folded.replace(/(.)\1{2,}/g, "$1$1"),
          folded.replace(/(.)\1{2,}/g, "$1"),
        ],
      });
    }
  }
  // Letters set apart: f u c k, f.u.c.k, f-u-c-k.
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])[\p{L}@$0134578](?:([ .\-_*·•|/~,]{1,3})[\p{L}@$0134578!])(?:\1[\p{L}@$0134578!]){1,22}(?![\p{L}\p{N}])/gu,
  )) {
    const letters = match[0].replace(/[ .\-_*·•|/~,]/g, "");
    const start = match.index;
    const end = start + match[0].length;
    found.push({ start, end, readings: distinct([readLeet(letters, "i"), readLeet(letters, "l")]) });
  }
  return found;
}

const distinct = (texts: string[]) => [...new Set(texts)];

function readLeet(text: string, one: string): string {
  const read = Array.from(text, (char) => (char === "1" || char === "!" ? one : (leet[char] ?? char))).join(
    "",
  );
  return fold(read).replace(/[*#_%]/g, ".");
}
