import type { z } from "zod";
import { setPassword } from "../access/password-links.ts";
import { setPasswordSchema } from "../access/schemas.ts";
import { sharedDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { setUpSchema } from "../onboarding/schemas.ts";
import { needsSetUp } from "../onboarding/set-up-token.ts";
import { setUp } from "../onboarding/set-up.ts";
import { isSameOrigin } from "./same-origin.ts";

/** Largest body of a form that somebody sends who is not signed in. */
const maxBodyBytes = 16 * 1_024;

/** Where a form of somebody who is not signed in comes from. */
interface FormFrom {
  ip: string | null;
  requestId: string;
}

/** What the page that sent a form is told when it was refused. */
interface FormRefusal {
  code: string;
  detail: string;
  errors: readonly { pointer: string; detail: string }[];
  retryAfter?: number;
}

function refused(status: number, refusal: FormRefusal): Response {
  return Response.json(refusal, {
    status,
    headers: {
      "cache-control": "no-store",
      ...(refusal.retryAfter === undefined ? {} : { "retry-after": String(refusal.retryAfter) }),
    },
  });
}

/** Takes a form as JSON from a page of this site, and answers what became of it. */
async function takeForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  work: (input: z.output<Schema>, from: FormFrom) => Promise<unknown>,
): Promise<Response> {
  const from = {
    // Judged by the front door: where the request came from, whatever its sender claimed.
    ip: request.headers.get("x-forwarded-for"),
    requestId: newId(),
  };
  try {
    if (!isSameOrigin(request.headers, env().publicUrl)) {
      throw new DomainError("permission_denied", "This did not come from one of our own pages.");
    }
    if (!request.headers.get("content-type")?.startsWith("application/json")) {
      throw new DomainError("unsupported_media_type", "Send the form as application/json.");
    }
    // Browsers always say how long a body is; without that there would be no bound.
    const length = request.headers.get("content-length");
    if (length === null || Number(length) > maxBodyBytes) {
      throw new DomainError("payload_too_large", "The form is too long.");
    }
    const parsed = schema.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) {
      throw new DomainError("invalid_request", "Something in the form is not valid.", {
        errors: parsed.error.issues.map((issue) => ({
          pointer: `/${issue.path.join("/")}`,
          code: "invalid",
          detail: issue.message,
        })),
      });
    }
    const answer = await work(parsed.data, from);
    return Response.json(answer, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof DomainError) {
      const { code, message: detail, errors, retryAfter } = error;
      return refused(error.status, {
        code,
        detail,
        errors: errors.map((entry) => ({ pointer: entry.pointer, detail: entry.detail })),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      });
    }
    logger().error({ err: error, requestId: from.requestId }, "a form failed");
    return refused(500, { code: "internal_error", detail: "Something went wrong on our side.", errors: [] });
  }
}

/** The form of the set-up page. There is none once there is an organisation. */
export async function handleSetUp(request: Request): Promise<Response> {
  const db = sharedDb("web");
  if (!(await needsSetUp(db))) return refused(404, { code: "not_found", detail: "Not found", errors: [] });
  return takeForm(request, setUpSchema, (input, { ip }) => setUp(db, { ...input, ip }));
}

/** The form with which somebody who has a link chooses a password. */
export function handleSetPassword(request: Request): Promise<Response> {
  return takeForm(request, setPasswordSchema, (input, from) =>
    setPassword(sharedDb("web"), { ...input, ...from }),
  );
}

/** For pages: whether there is no organisation yet. */
export function isEmptyInstallation(): Promise<boolean> {
  return needsSetUp(sharedDb("web"));
}
