import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { mailSchema, mailSummaryListSchema } from "./schemas.ts";
import type { Mail, MailSummary } from "./schemas.ts";

/**
 * The quickstart's mailbox: what its SMTP server received. It belongs to the machine, not to the tenant, so only those
 * who may see contents in the whole tenant see it. Its address is the operator's configuration and on this machine,
 * hence not the guarded client.
 */
async function ask(path: string): Promise<unknown> {
  const base = env().mailboxUrl;
  if (base === undefined) throw notFound();
  let response: Response;
  try {
    response = await fetch(base + path, { redirect: "error", signal: AbortSignal.timeout(5_000) });
  } catch (error) {
    throw new DomainError("service_overloaded", "The mailbox does not answer.", {
      retryAfter: 2,
      cause: error,
    });
  }
  if (response.status === 404) throw notFound();
  if (!response.ok)
    throw new DomainError("service_overloaded", "The mailbox does not answer.", { retryAfter: 2 });
  return response.json();
}

/** The mails, newest first. */
export async function listMail(ctx: Ctx): Promise<MailSummary[]> {
  authorize(ctx, "content:reveal", {});
  return mailSummaryListSchema.parse(await ask(""));
}

export async function readMail(ctx: Ctx, input: { id: string }): Promise<Mail> {
  authorize(ctx, "content:reveal", {});
  return mailSchema.parse(await ask(`/${encodeURIComponent(input.id)}`));
}
