import { handleForgotPassword } from "../../../server/trpc/public-forms.ts";

export { handleForgotPassword as POST };
