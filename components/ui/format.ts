/**
 * Numbers, money and durations for reading. All follow the reader's locale.
 * Money stays a decimal string until here, so that no sum is ever made in floating point.
 */

import { numberFormat } from "./intl.ts";

export function formatNumber(value: number, digits?: number): string {
  return numberFormat({ maximumFractionDigits: digits }).format(value);
}

/** 12,345 → "12.3K". */
export function formatCompact(value: number): string {
  return numberFormat({ notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** `ratio` 0…1 → "98.4%". Never rounds something imperfect up to 100%. */
export function formatPercent(ratio: number, digits = 1): string {
  const scale = 10 ** (digits + 2);
  const shown = ratio < 1 ? Math.min(Math.round(ratio * scale) / scale, 1 - 1 / scale) : ratio;
  return numberFormat({
    style: "percent",
    minimumFractionDigits: shown === 1 || shown === 0 ? 0 : digits,
    maximumFractionDigits: digits,
  }).format(shown);
}

/** `amount` is a decimal string as the API gives it; up to six places are kept because one SMS costs fractions of a cent. */
export function formatMoney(amount: string | number, currency: string): string {
  return numberFormat({
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(amount as number);
}

/** Milliseconds → "840 ms", "3.2 s", "4 min", "2.5 h". */
export function formatDuration(milliseconds: number): string {
  const number = (value: number, digits: number) =>
    numberFormat({ maximumFractionDigits: digits }).format(value);
  // The blanks are no-break: a chart axis must not wrap between number and unit.
  if (milliseconds < 1000) return `${number(milliseconds, 0)}\u00A0ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)}\u00A0s`;
  const minutes = seconds / 60;
  if (minutes < 60) return `${number(minutes, minutes < 10 ? 1 : 0)}\u00A0min`;
  const hours = minutes / 60;
  return hours < 48 ? `${number(hours, 1)}\u00A0h` : `${number(hours / 24, 1)}\u00A0d`;
}

/** "template_author" or "order-updates" → "Template author". */
export function humanize(code: string): string {
  const words = code.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
