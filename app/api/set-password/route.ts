import { handleSetPassword } from "../../../server/trpc/public-forms.ts";

export { handleSetPassword as POST };
