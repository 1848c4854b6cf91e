import { contracts } from "../../../server/rest/contracts.ts";
import { openApiText } from "../../../server/rest/openapi.ts";

export const dynamic = "force-dynamic";

/** Public: the description holds nothing of any tenant. */
export function GET(): Response {
  return new Response(openApiText(contracts), {
    headers: {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    },
  });
}
