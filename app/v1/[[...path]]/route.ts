import { answerRoute } from "../../../server/rest/serve-path.ts";

export const dynamic = "force-dynamic";
export {
  answerRoute as GET,
  answerRoute as HEAD,
  answerRoute as POST,
  answerRoute as PUT,
  answerRoute as PATCH,
  answerRoute as DELETE,
  answerRoute as OPTIONS,
};
