import { env } from "../kernel/env.ts";
import { isSameOrigin } from "./same-origin.ts";

function refuse(status: number, message: string, code: string): Response {
  const error = {
    message,
    code: -32_600,
    data: { code, status, httpStatus: status, detail: message, errors: [] },
  };
  return Response.json({ error }, { status });
}

/** Why a tRPC call is refused before its body is read: only pages of this site may change something. Undefined: it may go on. */
export function refusedPost(request: Request, maxBodyBytes: number): Response | undefined {
  if (request.method !== "POST") return undefined;
  if (!isSameOrigin(request.headers, env().publicUrl)) {
    return refuse(403, "This request did not come from the portal's own pages.", "permission_denied");
  }
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    return refuse(415, "Send the body as application/json.", "unsupported_media_type");
  }
  // Browsers always announce a body's length; without that there would be no limit.
  const length = request.headers.get("content-length");
  if (length === null || Number(length) > maxBodyBytes) {
    return refuse(413, "The body is too large, or does not say how long it is.", "payload_too_large");
  }
  return undefined;
}
