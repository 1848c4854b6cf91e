import { initTRPC } from "@trpc/server";
import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { z } from "zod";
import type { ConsoleOperation } from "../console/operation.ts";
import { consoleOperations } from "../console/operations.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { checkInput } from "./check-input.ts";
import type { ConsoleContext } from "./console-context.ts";
import { errorFacts, isUnexpected, toTrpcError } from "./errors.ts";
import { transformer } from "./transformer.ts";

/* The door of the operator console: it shares no context, no session and no procedure with the portal's. */

const t = initTRPC.context<ConsoleContext>().create({
  transformer,
  errorFormatter: ({ shape, error, ctx }) => {
    const facts = errorFacts(error, ctx?.requestId ?? null);
    return {
      ...shape,
      message: facts.detail,
      data: { httpStatus: facts.status, path: shape.data.path, ...facts },
    };
  },
});

const procedure = t.procedure.use(async ({ ctx, next, path, getRawInput }) => {
  const { operator } = ctx;
  if (!operator) throw toTrpcError(new DomainError("unauthenticated", "Sign in to the console first."));
  try {
    checkInput(await getRawInput());
  } catch (error) {
    throw toTrpcError(error);
  }
  const result = await next({ ctx: { operator } });
  if (result.ok) return result;
  const { error } = result;
  if (isUnexpected(error)) {
    logger().error(
      { err: error.cause ?? error, requestId: ctx.requestId, path },
      "a call of the console failed",
    );
  }
  throw toTrpcError(error);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- operations of every input and output
type AnyOperation = ConsoleOperation<"query" | "mutation", any, any>;

interface Facts<Input, Output> {
  meta: object;
  input: Input extends z.ZodType ? z.input<Input> : undefined;
  output: Output;
}
type ProcedureOf<One> =
  One extends ConsoleOperation<infer Kind, infer Input, infer Output>
    ? Kind extends "query"
      ? TRPCQueryProcedure<Facts<Input, Output>>
      : TRPCMutationProcedure<Facts<Input, Output>>
    : never;

function procedureOf({ kind, input, call }: AnyOperation) {
  const answered = input ? procedure.input(input as z.ZodType) : procedure;
  const run = ({
    ctx,
    input: parsed,
  }: {
    ctx: { operator: NonNullable<ConsoleContext["operator"]> };
    input: unknown;
  }) => call(ctx.operator, parsed) as Promise<unknown>;
  return kind === "query" ? answered.query(run) : answered.mutation(run);
}

function proceduresOf<Operations extends Record<string, AnyOperation>>(operations: Operations) {
  const procedures = Object.entries(operations).map(
    ([name, declared]) => [name, procedureOf(declared)] as const,
  );
  return t.router(
    Object.fromEntries(procedures) as unknown as {
      [Name in keyof Operations]: ProcedureOf<Operations[Name]>;
    },
  );
}

/** All procedures of the console. */
export const consoleRouter = t.router({
  channels: proceduresOf(consoleOperations.channels),
  installation: proceduresOf(consoleOperations.installation),
  log: proceduresOf(consoleOperations.log),
  organisations: proceduresOf(consoleOperations.organisations),
  secondFactor: proceduresOf(consoleOperations.secondFactor),
});

export type ConsoleRouter = typeof consoleRouter;
