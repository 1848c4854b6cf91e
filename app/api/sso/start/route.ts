import { handleStartSignIn } from "../../../../server/trpc/sso.ts";

export { handleStartSignIn as POST };
