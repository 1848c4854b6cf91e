import { handleFindProviders } from "../../../../server/trpc/sso.ts";

export { handleFindProviders as POST };
