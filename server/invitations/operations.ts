import { createInvitationSchema, invitationSchema } from "../access/schemas.ts";
import { mutation } from "../operations/operation.ts";
import { inviteAgain, inviteMember } from "./invite-member.ts";

const permission = "members:manage";

/** Asking people to become members. */
export const invitationOperations = {
  invite: mutation({ permission, input: createInvitationSchema, run: inviteMember }),
  /** With a new link; the one before ends. */
  inviteAgain: mutation({ permission, input: invitationSchema, run: inviteAgain }),
};
