import { handlePasskeyRequest } from "../../../server/trpc/passkey-request.ts";

export { handlePasskeyRequest as POST };
