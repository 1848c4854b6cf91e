import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import type { Permission } from "../access/permissions.ts";
import type { PortalContext } from "./context.ts";
import { checkInput } from "./check-input.ts";
import { errorFacts, isUnexpected, toTrpcError } from "./errors.ts";

/**
 * What a procedure needs, for the access matrix and for readers; the use case itself decides. "session": every signed-in
 * person, about themselves.
 */
export interface ProcedureMeta {
  permission: Permission | "session";
}

const t = initTRPC
  .context<PortalContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: superjson,
    errorFormatter: ({ shape, error, ctx }) => {
      const facts = errorFacts(error, ctx?.requestId ?? null);
      // The default data holds the stack in development; only the path and HTTP status of it leave.
      return {
        ...shape,
        message: facts.detail,
        data: { httpStatus: facts.status, path: shape.data.path, ...facts },
      };
    },
  });

export const router = t.router;

/**
 * A procedure of a signed-in person: `ctx.tidings` is the kernel's Ctx. Give each one `.meta({ permission })` and hand the
 * input to one use case. Errors become the error table's; what nobody foresaw is logged and answered without detail.
 */
export const procedure = t.procedure.use(async ({ ctx, next, path, getRawInput }) => {
  const { tidings, session } = ctx;
  if (!tidings || !session) {
    throw toTrpcError(new DomainError("unauthenticated", "Sign in first."));
  }
  try {
    checkInput(await getRawInput());
  } catch (error) {
    throw toTrpcError(error);
  }
  const result = await next({ ctx: { tidings, session } });
  if (!result.ok) {
    if (isUnexpected(result.error)) {
      logger().error(
        {
          err: result.error.cause ?? result.error,
          requestId: ctx.requestId,
          tenantId: tidings.tenantId,
          path,
        },
        "a procedure failed",
      );
    }
    throw toTrpcError(result.error);
  }
  return result;
});
