import type { Liquid } from "liquidjs";
import { plainText } from "../kernel/liquid-bounds.ts";
import { parseDate } from "./variables.ts";

/** What a render knows besides the variables. */
export interface RenderSettings {
  /** How dates and amounts are written: BCP 47, e.g. "de" or "de-DE". */
  locale: string;
  /** Of the text, e.g. "de"; null or missing: a text for any language, which may be in another one than the locale's. */
  language?: string | null | undefined;
  /** IANA name, e.g. "Europe/Berlin". */
  timezone: string;
  /** Returns the short form of a long address; called while rendering, so it must not wait. */
  shorten?: ((url: string) => string) | undefined;
}

/** Where the engine's scope carries the settings: a symbol, which no template can name. */
export const settingsKey = Symbol("render settings");

const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

/** Intl formatters take a hundred times longer to create than to use. */
function cached<T extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => T): T {
  let formatter = formatters.get(key) as T | undefined;
  if (!formatter) {
    if (formatters.size >= 500) formatters.clear();
    formatter = make();
    formatters.set(key, formatter);
  }
  return formatter;
}

const dateStyles: Record<string, Intl.DateTimeFormatOptions> = {
  short: { dateStyle: "short" },
  medium: { dateStyle: "medium" },
  long: { dateStyle: "long" },
  full: { dateStyle: "full" },
  time: { timeStyle: "short" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};

const numeric: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};

/** No date needs a longer pattern. */
const longestPattern = 256;

function strftime(date: Date, pattern: string, locale: string, timezone: string): string {
  const fields: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  const formatter = cached(
    `n ${timezone}`,
    () => new Intl.DateTimeFormat("en-GB", { ...numeric, timeZone: timezone }),
  );
  for (const part of formatter.formatToParts(date)) fields[part.type] = part.value;
  const { year = "", month = "", day = "", hour = "", minute = "", second = "" } = fields;
  const named = (key: string, options: Intl.DateTimeFormatOptions) =>
    cached(
      `${key} ${locale} ${timezone}`,
      () => new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone }),
    ).format(date);
  const hour12 = String(Number(hour) % 12 || 12);
  return pattern.replace(/%(-?)([A-Za-z%])/g, (whole, bare: string, letter: string) => {
    const number = (text: string) => (bare ? String(Number(text)) : text);
    switch (letter) {
      case "Y":
        return year;
      case "y":
        return year.slice(-2);
      case "m":
        return number(month);
      case "d":
        return number(day);
      case "e":
        return bare ? String(Number(day)) : String(Number(day)).padStart(2, " ");
      case "H":
        return number(hour);
      case "I":
        return bare ? hour12 : hour12.padStart(2, "0");
      case "l":
        return bare ? hour12 : hour12.padStart(2, " ");
      case "M":
        return number(minute);
      case "S":
        return number(second);
      case "p":
        return Number(hour) < 12 ? "AM" : "PM";
      case "F":
        return `${year}-${month}-${day}`;
      case "T":
        return `${hour}:${minute}:${second}`;
      case "R":
        return `${hour}:${minute}`;
      case "B":
        return named("B", { month: "long" });
      case "b":
        return named("b", { month: "short" });
      case "A":
        return named("A", { weekday: "long" });
      case "a":
        return named("a", { weekday: "short" });
      case "Z":
        return timezone;
      case "%":
        return "%";
      default:
        return whole;
    }
  });
}

/**
 * A formatted date: style short, medium (default), long, full, time or datetime in the text's language, or a
 * strftime pattern. A date without a time keeps its day in every zone. Anything that is not a date stays as it is.
 */
export function formatDate(value: string, style: string, settings: RenderSettings): string {
  const date = parseDate(value);
  if (!date) return value;
  const timezone = value.length === 10 ? "UTC" : settings.timezone;
  if (style.includes("%")) return strftime(date, style.slice(0, longestPattern), settings.locale, timezone);
  const name = Object.hasOwn(dateStyles, style) ? style : "medium";
  return cached(
    `d ${name} ${settings.locale} ${timezone}`,
    () => new Intl.DateTimeFormat(settings.locale, { ...dateStyles[name], timeZone: timezone }),
  ).format(date);
}

/** A decimal amount in a currency (ISO 4217) or, without one, as a number with two places; anything else stays as it is. */
export function formatMoney(value: string, currency: string, settings: RenderSettings): string {
  if (!/^-?\d{1,24}(\.\d{1,12})?$/.test(value)) return value;
  const code = /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : "";
  const formatter = cached(`m ${code} ${settings.locale}`, () =>
    code
      ? new Intl.NumberFormat(settings.locale, { style: "currency", currency: code, signDisplay: "negative" })
      : new Intl.NumberFormat(settings.locale, {
          minimumFractionDigits: 2,
          maximumFractionDigits: 2,
          signDisplay: "negative",
        }),
  );
  // As text: a number would lose digits of large amounts.
  return formatter.format(value as `${number}`);
}

/** Adds date, money and shorten to an engine. */
export function registerFilters(engine: Liquid): void {
  const settingsOf = (scope: object): RenderSettings =>
    (scope as { [settingsKey]?: RenderSettings })[settingsKey] ?? { locale: "en", timezone: "UTC" };
  engine.registerFilter("date", function (value: unknown, style?: unknown) {
    return formatDate(plainText(value), plainText(style), settingsOf(this.context.environments));
  });
  engine.registerFilter("money", function (value: unknown, currency?: unknown) {
    // What filters calculate has binary fractions: 0.1 times 3 is 0.30000000000000004.
    const amount = typeof value === "number" ? value.toFixed(12) : plainText(value);
    return formatMoney(amount, plainText(currency), settingsOf(this.context.environments));
  });
  engine.registerFilter("shorten", function (value: unknown) {
    const url = plainText(value);
    return settingsOf(this.context.environments).shorten?.(url) ?? url;
  });
}
