import { handleSsoCallback } from "../../../../../server/trpc/sso.ts";

export { handleSsoCallback as GET };
