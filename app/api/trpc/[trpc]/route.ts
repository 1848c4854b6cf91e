import { handleTrpc } from "../../../../server/trpc/handle.ts";

export { handleTrpc as GET, handleTrpc as POST };
