import { handleSetUp } from "../../../server/trpc/public-forms.ts";

export { handleSetUp as POST };
