import { createInvitation, renewInvitation } from "../access/create-invitation.ts";
import type { NewInvitation } from "../access/create-invitation.ts";
import type { CreateInvitationInput, InvitationInput } from "../access/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { invitationTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { readableTime, sendLink } from "./send-link.ts";
import type { LinkDelivery } from "./send-link.ts";

/** How long the message may be under way, ms: longer than any outage should be, shorter than the link works. */
const patience = 24 * 3_600_000;

export interface SentInvitation {
  id: string;
  /** Opens the invitation once. Shown now and stored nowhere. */
  link: string;
  expiresAt: Date;
  delivery: LinkDelivery;
}

/** Invites somebody and sends them the link. Throws what createInvitation throws; that nothing could be sent is an answer. */
export async function inviteMember(ctx: Ctx, input: CreateInvitationInput): Promise<SentInvitation> {
  return sent(ctx, await createInvitation(ctx, input));
}

/** Sends an invitation again with a new link. Throws what renewInvitation throws. */
export async function inviteAgain(ctx: Ctx, input: InvitationInput): Promise<SentInvitation> {
  return sent(ctx, await renewInvitation(ctx, input));
}

async function sent(ctx: Ctx, invitation: NewInvitation): Promise<SentInvitation> {
  const { id, expiresAt } = invitation;
  // After the sign: browsers send it to nobody, so it stands in no log, and who fetches links to look at them uses none up.
  const link = `${env().publicUrl}/invitation#${invitation.token}`;
  const { name: organisation } = (await getCatalogue(ctx)).tenant;
  const delivery = await sendLink(ctx, {
    template: invitationTemplate,
    email: invitation.email,
    unitId: invitation.unitId,
    variables: {
      name: invitation.name,
      inviter: ctx.actor.name,
      organisation,
      link,
      expires: readableTime(expiresAt),
    },
    expiresAt: new Date(ctx.now().getTime() + patience),
  });
  return { id, link, expiresAt, delivery };
}
