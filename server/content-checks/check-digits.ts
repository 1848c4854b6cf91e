/**
 * Check digits: they tell a real number from one that only looks like it. All functions take digits without separators.
 */

const digitsOf = (text: string) => Array.from(text, Number);

/** Sum of the digits times their weights. */
function weighted(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits[place] ?? 0), 0);
}

/** The check digit of payment cards, IMEI numbers and Swedish personal numbers (ISO/IEC 7812-1 annex B). */
export function passesLuhn(digits: string): boolean {
  const sum = digitsOf(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const counted = place % 2 === 1 ? digit * 2 : digit;
      return total + (counted > 9 ? counted - 9 : counted);
    }, 0);
  return sum % 10 === 0;
}

/** The remainder modulo 97 of a number in which letters stand for 10 to 35 (ISO 7064 mod 97-10). */
export function mod97(text: string): number {
  let remainder = 0;
  for (const char of text) {
    const value = parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** Whether six digits begin with a day that exists, as year, month (PESEL adds 20, 40, 60 or 80 for the century), day. */
function beginsWithDate(digits: string, monthStep = 100): boolean {
  const month = Number(digits.slice(2, 4)) % monthStep;
  const day = Number(digits.slice(4, 6));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

/** Spain: eight digits, or X, Y, Z and seven, and the letter of the remainder modulo 23. */
export function isSpanishId(text: string): boolean {
  const number = text.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return dniLetters[Number(number) % 23] === text.slice(-1);
}

// Values of characters in odd positions; those in even positions count as themselves.
const oddValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** Italy: sixteen characters of the codice fiscale, the last of which is computed. */
export function isItalianId(text: string): boolean {
  let sum = 0;
  for (let place = 0; place < 15; place++) {
    const char = text[place] ?? "";
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65;
    sum += place % 2 === 0 ? (oddValues[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === text.slice(-1);
}

/** France: fifteen places of the NIR; Corsica's departments count as 19 and 18. */
export function isFrenchId(text: string): boolean {
  const number = text.slice(0, 13).replace("2A", "19").replace("2B", "18");
  return 97 - mod97(number) === Number(text.slice(13));
}

/** The Netherlands: nine digits of the BSN ("elfproef"). */
export function isDutchId(digits: string): boolean {
  return digits !== "000000000" && weighted(digitsOf(digits), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** Germany: eleven digits of the tax identification number (ISO 7064 mod 11,10). */
export function isGermanTaxId(digits: string): boolean {
  if (digits.startsWith("0")) return false;
  let product = 10;
  for (const digit of digitsOf(digits.slice(0, 10))) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

/** Poland: eleven digits of the PESEL number. */
export function isPolishId(digits: string): boolean {
  const sum = weighted(digitsOf(digits), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
  return sum % 10 === 0 && beginsWithDate(digits, 20);
}

/** Türkiye: eleven digits of the identity number. */
export function isTurkishId(digits: string): boolean {
  const d = digitsOf(digits);
  const odd = weighted(d, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(d, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return d[0] !== 0 && tenth === d[9] && (odd + even + tenth) % 10 === d[10];
}

/** Portugal: nine digits of the NIF. */
export function isPortugueseId(digits: string): boolean {
  const rest = weighted(digitsOf(digits), [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[8]);
}

/** Brazil: eleven digits of the CPF, the last two of which are computed. */
export function isBrazilianId(digits: string): boolean {
  if (/^(\d)\1{10}$/.test(digits)) return false;
  const d = digitsOf(digits);
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, place) => length + 1 - place);
    return ((weighted(d, weights) * 10) % 11) % 10;
  };
  return check(9) === d[9] && check(10) === d[10];
}

/** Belgium: eleven digits of the national register number; those born from 2000 on count with a 2 in front. */
export function isBelgianId(digits: string): boolean {
  const check = Number(digits.slice(9));
  const number = digits.slice(0, 9);
  return 97 - mod97(number) === check || 97 - mod97(`2${number}`) === check;
}

/** Switzerland: thirteen digits of the AHV number, checked like an EAN. */
export function isSwissId(digits: string): boolean {
  return weighted(digitsOf(digits), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** Austria: ten digits of the insurance number; the fourth is the check digit. */
export function isAustrianId(digits: string): boolean {
  return weighted(digitsOf(digits), [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3]);
}

/** Sweden: ten or twelve digits of the personal number. */
export function isSwedishId(digits: string): boolean {
  const short = digits.slice(-10);
  return beginsWithDate(short) && passesLuhn(short);
}
