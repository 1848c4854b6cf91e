import { z } from "zod";
import { openOwn, sealOwnAlike } from "../kernel/secrets.ts";
import { notificationClassSchema } from "../tenancy/schemas.ts";

const purpose = "unsubscribe links";
const context = "e-mail";
const pattern = /^[\w-]{40,900}$/;
// It was sealed by us, so the address is one that the product takes.
const address = z.string().min(3).max(254);
const parts = z.tuple([z.uuid(), z.boolean(), address, notificationClassSchema, z.string().max(8)]);

/** What a link in an e-mail says: whose mail to whom it was. */
export interface Unsubscription {
  tenantId: string;
  sandbox: boolean;
  address: string;
  class: z.output<typeof notificationClassSchema>;
  /** ISO 639-1, of the message. */
  language: string;
}

/**
 * The last part of a link by which the recipient of an e-mail says what they want. It is sealed: nobody reads the address in it or
 * makes one for another's, and it needs no look into the database. It has no end, and is the same each time: a provider recognises a
 * repeated message by its whole body.
 */
export function unsubscribeToken({
  tenantId,
  sandbox,
  address,
  class: of,
  language,
}: Unsubscription): string {
  const text = JSON.stringify([tenantId, sandbox, address, of, language]);
  return sealOwnAlike(purpose, context, text).toString("base64url");
}

/** Null for a text that is none of ours. Those of a previous master key are, as long as it is known. */
export function readUnsubscribeToken(token: string): Unsubscription | null {
  if (!pattern.test(token)) return null;
  try {
    const text = openOwn(purpose, context, Buffer.from(token, "base64url"));
    const [tenantId, sandbox, address, of, language] = parts.parse(JSON.parse(text));
    return { tenantId, sandbox, address, class: of, language };
  } catch {
    return null;
  }
}

/** The header fields of RFC 8058 by which mail programs offer one click. @param publicUrl of this installation */
export function unsubscribeHeaders(publicUrl: string, of: Unsubscription): Record<string, string> {
  return {
    "List-Unsubscribe": `<${publicUrl}/api/app/unsubscribe/${unsubscribeToken(of)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
