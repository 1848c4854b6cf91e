import { z } from "zod";
import { openOwn, sealOwn } from "../kernel/secrets.ts";

const purpose = "confirmation links";
const context = "e-mail";
const pattern = /^[\w-]{40,400}$/;
const parts = z.tuple([z.uuid(), z.uuid(), z.string().max(8)]);

/** What the link of a confirmation message says. */
export interface ConfirmationLink {
  tenantId: string;
  /** Of the message that it stood in. */
  messageId: string;
  /** ISO 639-1, of the message. */
  language: string;
}

/** The last part of a link by which a recipient agrees. It is sealed: nobody makes one for another's address. */
function confirmationToken({ tenantId, messageId, language }: ConfirmationLink): string {
  return sealOwn(purpose, context, JSON.stringify([tenantId, messageId, language])).toString("base64url");
}

/** Null for a text that is none of ours. Those of a previous master key are, as long as it is known. */
export function readConfirmationToken(token: string): ConfirmationLink | null {
  if (!pattern.test(token)) return null;
  try {
    const text = openOwn(purpose, context, Buffer.from(token, "base64url"));
    const [tenantId, messageId, language] = parts.parse(JSON.parse(text));
    return { tenantId, messageId, language };
  } catch {
    return null;
  }
}

/** The address of the page on which a recipient agrees. @param publicUrl of this installation */
export function confirmationUrl(publicUrl: string, link: ConfirmationLink): string {
  return `${publicUrl}/api/app/confirm/${confirmationToken(link)}`;
}
