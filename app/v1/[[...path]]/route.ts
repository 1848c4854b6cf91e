import { answerUnknownPath } from "../../../server/rest/mount-routes.ts";

export const dynamic = "force-dynamic";
export {
  answerUnknownPath as GET,
  answerUnknownPath as POST,
  answerUnknownPath as PUT,
  answerUnknownPath as PATCH,
  answerUnknownPath as DELETE,
};
