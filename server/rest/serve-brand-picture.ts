import { FastResponse } from "srvx";
import type { Db } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { loadPicture } from "../workspace/load-picture.ts";
import { problemResponse } from "./problem.ts";
import { requestIdOf } from "./serve-route.ts";

/**
 * The logo of an organisation, for its mails and pages. The type is the one that was read from the bytes; the address changes with
 * the picture, so browsers may keep it for as long as they like, and pages and mails of any origin may show it.
 */
export async function serveBrandPicture(
  request: Request,
  input: { tenantId: string; name: string },
  deps: { db: () => Db },
): Promise<Response> {
  const requestId = requestIdOf(request);
  const again = { "cache-control": "no-store" };
  try {
    const picture = await loadPicture(deps.db(), input);
    if (!picture) return problemResponse(notFound(), requestId, again);
    return new FastResponse(picture.bytes, {
      headers: {
        "content-type": `image/${picture.kind}`,
        "content-length": String(picture.bytes.length),
        "content-disposition": `inline; filename="logo.${picture.kind}"`,
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-request-id": requestId,
      },
    });
  } catch (error) {
    if (error instanceof DomainError) return problemResponse(error, requestId, again);
    logger().error({ err: error, requestId }, "a logo could not be loaded");
    return problemResponse(
      new DomainError("service_overloaded", "The logo cannot be loaded at the moment."),
      requestId,
      again,
    );
  }
}
