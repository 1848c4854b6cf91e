import { handleAuth } from "../../../../server/trpc/auth.ts";

export { handleAuth as GET, handleAuth as POST };
