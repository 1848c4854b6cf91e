/** Budgets, unusual costs and monthly statements. Safe in the browser. */
import { z } from "zod";
import { budgetLimits } from "./vocabulary.ts";

const currency = z.string().regex(/^[A-Z]{3}$/, "Three upper-case letters, e.g. EUR");

export const budgetInputSchema = z.object({
  name: z.string().trim().min(1, "Give it a name").max(80),
  /** Null: all applications. */
  applicationId: z.uuid().nullable(),
  /** Null: all production environments. */
  environmentId: z.uuid().nullable(),
  amount: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, "A number with at most six decimal places, e.g. 500 or 499.99")
    .refine((text) => Number(text) > 0, "More than nothing"),
  /** Only what is charged in it counts; null: all costs count, in the organisation's own currency. */
  currency: currency.nullable(),
  thresholds: z
    .array(z.int("Whole percent").min(1, "At least 1%").max(500, "At most 500%"))
    .min(1, "At least one threshold")
    .max(budgetLimits.thresholds, `At most ${String(budgetLimits.thresholds)} thresholds`)
    .transform((all) => [...new Set(all)].sort((a, b) => a - b)),
});
export type BudgetInput = z.output<typeof budgetInputSchema>;

export const budgetIdSchema = z.object({ id: z.uuid() });
/** What is left out stays. */
export const budgetUpdateSchema = budgetInputSchema.partial().extend({ id: z.uuid() });
export type BudgetUpdate = z.output<typeof budgetUpdateSchema>;

export interface BudgetView {
  id: string;
  name: string;
  applicationId: string | null;
  application: string | null;
  environmentId: string | null;
  environment: string | null;
  amount: string;
  currency: string;
  /** All costs count, by the organisation's rates. */
  converted: boolean;
  thresholds: number[];
  /** Thresholds that were told this month. */
  reached: { percent: number; at: string }[];
  /** What this month has come to; null: the organisation reads its costs in another currency by now. */
  spent: string | null;
  /** Currencies that are not in it for want of a rate. */
  withoutRate: string[];
  /** Sums of the fourteen days before today and of today, oldest first. */
  days: { at: string; amount: string }[];
  mayChange: boolean;
}

export const statementQuerySchema = z.object({
  month: z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "A month such as 2026-11"),
});

export interface StatementSums {
  currency: string;
  messages: number;
  segments: number;
  reported: string;
  estimated: string;
  platformFees: string;
  total: string;
  /** In the own currency; null: there is none, or a rate is missing. */
  own: string | null;
}
export interface StatementLine extends StatementSums {
  application: string;
  provider: string;
  channel: string;
  country: string;
}
export interface Statement {
  month: string;
  organisation: string;
  /** Only what the reader may see is in it. */
  partial: boolean;
  asOf: string;
  closed: boolean;
  totals: StatementSums[];
  own: { currency: string; total: string | null; withoutRate: string[] } | null;
  rates: { currency: string; rate: string; from: string; to: string }[];
  lines: StatementLine[];
  /** How many lines are added up in the last ones. */
  foldedLines: number;
}

export interface Anomaly {
  id: string;
  day: string;
  application: string;
  applicationName: string | null;
  environment: string | null;
  provider: string;
  connectionId: string | null;
  channel: string;
  country: string;
  currency: string;
  amount: string;
  expected: string;
}
export interface PriceChange {
  connectionId: string;
  provider: string;
  channel: string;
  country: string;
  currency: string;
  /** Of a segment for SMS, else of a message: in the last seven days, and in the twenty-eight before. */
  now: string;
  before: string;
  /** Segments or messages of the last seven days. */
  units: number;
  /** What these days cost more (less: negative) than at the price before. */
  difference: string;
}
export interface Findings {
  anomalies: Anomaly[];
  priceChanges: PriceChange[];
}
