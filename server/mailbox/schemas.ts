import { z } from "zod";

/** A mail that the quickstart's SMTP server received. */
export const mailSummarySchema = z.object({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  date: z.string().nullable(),
});
export const mailSummaryListSchema = z.array(mailSummarySchema);
export type MailSummary = z.output<typeof mailSummarySchema>;

export const mailSchema = mailSummarySchema.extend({
  text: z.string().nullable(),
  html: z.string().nullable(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type Mail = z.output<typeof mailSchema>;
