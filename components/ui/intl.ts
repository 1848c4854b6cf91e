import { pageRequest } from "../../server/kernel/page-request.ts";

/**
 * Formats of the reader's locale and time zone, in the browser and on the server that draws the page for them. Each is made once: to
 * make one costs more than to use it a hundred times.
 */

/**
 * The language that dates are written in: that of the interface, in the reader's way if that is a kind of English. A page in English
 * has no "22. Mai". @param locale the reader's
 */
export const dateLocale = (locale: string): string => (/^en\b/i.test(locale) ? locale : "en-GB");

const browserLocale = new Intl.DateTimeFormat().resolvedOptions().locale;

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();
/** A server draws for people everywhere; a page needs some twenty. */
const most = 1_000;

export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const locale = pageRequest()?.viewer?.locale;
  const key = JSON.stringify([locale, options]);
  return remembered(numbers, key, () => new Intl.NumberFormat(locale, options));
}

/** @param locale in place of the reader's, for what is not read by people */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  const viewer = pageRequest()?.viewer;
  const language = locale ?? dateLocale(viewer?.locale ?? browserLocale);
  const full = { ...options, timeZone: options.timeZone ?? viewer?.timeZone };
  const key = JSON.stringify([language, full]);
  return remembered(dates, key, () => new Intl.DateTimeFormat(language, full));
}

/** The reader's time zone by its IANA name. */
export const viewerZone = () =>
  pageRequest()?.viewer?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

function remembered<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= most) formats.clear();
  const made = make();
  formats.set(key, made);
  return made;
}
