import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { z } from "zod";
import type { Operation, RestOperation } from "../operations/operation.ts";
import { procedure, router } from "./init.ts";
import type { ProcedureMeta } from "./init.ts";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- operations of every input and output
type AnyOperation = Operation<"query" | "mutation", any, any>;
type Declared = Record<string, AnyOperation | RestOperation>;

interface Facts<Input, Output> {
  meta: ProcedureMeta;
  input: Input extends z.ZodType ? z.input<Input> : undefined;
  output: Awaited<Output>;
}
type ProcedureOf<One> =
  One extends Operation<infer Kind, infer Input, infer Output>
    ? Kind extends "query"
      ? TRPCQueryProcedure<Facts<Input, Output>>
      : TRPCMutationProcedure<Facts<Input, Output>>
    : never;
type ProceduresOf<Operations extends Declared> = {
  [Name in keyof Operations as Operations[Name] extends RestOperation ? never : Name]: ProcedureOf<
    Operations[Name]
  >;
};

/** The portal's procedures of a domain: one for each of its operations, under the same name. */
export function proceduresOf<Operations extends Declared>(operations: Operations) {
  const procedures = Object.entries(operations).flatMap(([name, declared]) =>
    declared.kind === "rest" ? [] : [[name, procedureOf(declared)] as const],
  );
  return router(Object.fromEntries(procedures) as unknown as ProceduresOf<Operations>);
}

function procedureOf({ kind, permissions, input, call }: AnyOperation) {
  const declared = procedure.meta({ permissions });
  const answered = input ? declared.input(input as z.ZodType) : declared;
  const run = ({
    ctx,
    input: parsed,
    signal,
  }: {
    ctx: { tidings: object; session: { id: string } };
    input: unknown;
    signal: AbortSignal | undefined;
  }) =>
    call(
      { ...ctx.tidings, sessionId: ctx.session.id, signal } as Parameters<typeof call>[0],
      parsed,
    ) as unknown;
  return kind === "query" ? answered.query(run) : answered.mutation(run);
}
