import { readInvitation } from "../access/accept-invitation.ts";
import type { InvitationFacts } from "../access/accept-invitation.ts";
import type { Db } from "../kernel/db.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { brandMarkOf } from "../workspace/vocabulary.ts";
import type { BrandMark } from "../workspace/vocabulary.ts";

export interface ShownInvitation extends Omit<InvitationFacts, "tenantId"> {
  brand: BrandMark & { support: string | null };
}

/** What an invitation is for, and how the organisation looks, for whoever has the link. Throws what readInvitation throws. */
export async function showInvitation(
  db: Db,
  input: { token: string; requestId: string },
): Promise<ShownInvitation> {
  const { tenantId, ...facts } = await readInvitation(db, input);
  const branding = await readBranding({ db, tenantId });
  return { ...facts, brand: { ...brandMarkOf(branding), support: branding.support } };
}
