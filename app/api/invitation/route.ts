import { handleInvitation } from "../../../server/trpc/public-forms.ts";

export { handleInvitation as POST };
