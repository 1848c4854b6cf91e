import { initTRPC, TRPCError } from "@trpc/server";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import type { Permission } from "../operations/permissions.ts";
import { checkInput } from "./check-input.ts";
import type { PortalContext } from "./context.ts";
import { errorFacts, isUnexpected, toTrpcError } from "./errors.ts";
import { transformer } from "./transformer.ts";

/** Any of these permissions is enough; none: every signed-in person, about themselves. */
export interface ProcedureMeta {
  permissions: readonly Permission[];
}

const t = initTRPC
  .context<PortalContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer,
    errorFormatter: ({ shape, error, ctx }) => {
      const facts = errorFacts(error, ctx?.requestId ?? null);
      // The default data contains the stack in development; only the path and HTTP status of it are sent.
      return {
        ...shape,
        message: facts.detail,
        data: { httpStatus: facts.status, path: shape.data.path, ...facts },
      };
    },
  });

export const router = t.router;

/** What somebody may still call from whom the organisation wants a second factor that they do not have: to get one, or to leave. */
const openWithout = /^(secondFactor|sessions)\.|^tenancy\.me$/;

/**
 * A procedure for signed-in people; procedures.ts makes one of each operation. Errors become the error table's;
 * unforeseen ones are logged and answered without detail.
 */
export const procedure = t.procedure.use(async ({ ctx, next, path, getRawInput }) => {
  const { tidings, session } = ctx;
  if (!tidings || !session) {
    throw toTrpcError(new DomainError("unauthenticated", "Your session has ended. Sign in and try again."));
  }
  if (session.secondFactorMissing && !openWithout.test(path)) {
    throw toTrpcError(
      new DomainError(
        "second_factor_missing",
        "Your organisation asks for a second factor. Set one up first.",
      ),
    );
  }
  try {
    checkInput(await getRawInput());
  } catch (error) {
    throw toTrpcError(error);
  }
  const translate = (error: unknown): TRPCError => {
    if (isUnexpected(error)) {
      const err = error instanceof TRPCError ? (error.cause ?? error) : error;
      logger().error(
        { err, requestId: ctx.requestId, tenantId: tidings.tenantId, path },
        "a procedure failed",
      );
    }
    return toTrpcError(error);
  };
  const result = await next({ ctx: { tidings, session } });
  if (!result.ok) throw translate(result.error);
  return isIterable(result.data) ? { ...result, data: translated(result.data, translate) } : result;
});

function isIterable(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}

/** A streamed answer that fails on the way gets the same treatment. */
async function* translated(
  pieces: AsyncIterable<unknown>,
  translate: (error: unknown) => TRPCError,
): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* pieces;
  } catch (error) {
    throw translate(error);
  }
}
