import { handleInvitation } from "../../../server/trpc/invitation.ts";

export { handleInvitation as POST };
