import { z } from "zod";

/**
 * An action of a sandbox message's recipient, or a late report of the simulated provider. One flat object, so that its
 * description stays simple; the fields of each action are checked with it.
 */
export const sandboxActionSchema = z
  .strictObject({
    action: z
      .enum(["reply", "tap", "open", "click", "bounce", "complain", "optOut", "optIn", "deliver", "fail"])
      .meta({
        description:
          "reply, tap a quick-reply button, open (WhatsApp: read), click a link in an e-mail, bounce, complain, optOut (phones: reply STOP), optIn (reply START); deliver and fail are reports from the provider",
      }),
    text: z.string().min(1).max(4_096).optional().meta({ description: "Text of the reply" }),
    button: z
      .int()
      .min(0)
      .max(9)
      .optional()
      .meta({ description: "Which of the message's quick-reply buttons, from 0; of tap" }),
    permanent: z
      .boolean()
      .optional()
      .meta({ description: "For bounce: whether it is permanent; default true" }),
  })
  .superRefine((input, context) => {
    const needs = { reply: "text", tap: "button" } as const;
    const needed = input.action in needs ? needs[input.action as keyof typeof needs] : undefined;
    if (needed && input[needed] === undefined) {
      context.addIssue({
        code: "custom",
        path: [needed],
        message: `The action "${input.action}" needs this.`,
      });
    }
  });
export type SandboxAction = z.output<typeof sandboxActionSchema>;

export const sandboxActionAcceptedSchema = z.object({
  notificationId: z.uuid(),
  action: sandboxActionSchema.shape.action,
});

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
