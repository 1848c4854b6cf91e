/** Formats of the reader's locale. Each is made once: to make one costs more than to use it a hundred times. */

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return remembered(numbers, JSON.stringify(options), () => new Intl.NumberFormat(undefined, options));
}

/** @param locale in place of the reader's, for what is not read by people */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  return remembered(dates, key, () => new Intl.DateTimeFormat(locale, options));
}

function remembered<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key) ?? make();
  formats.set(key, known);
  return known;
}
