import type { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { recordLook } from "./record-event.ts";
import { touchSession } from "./sessions.ts";

type Optional = z.ZodType | undefined;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Something that operators can look at or change, and how their log calls it. */
export interface ConsoleOperation<Kind extends "query" | "mutation", Input extends Optional, Output> {
  readonly kind: Kind;
  /** noun.verb, e.g. "organisation.viewed"; a mutation writes it itself, in its transaction. */
  readonly action: string;
  readonly input: Input;
  readonly call: (ctx: OperatorCtx, input: OutputOf<Input>) => Promise<Output>;
}

interface Spec<Input extends Optional, Output> {
  action: string;
  input?: Input;
  /** Pages ask for it by themselves: it does not keep a session alive. */
  polled?: boolean;
  /** Also for an operator who has yet to set up the second factor that the installation asks for. */
  withoutFactor?: boolean;
  run: (ctx: OperatorCtx, input: OutputOf<Input>) => Promise<Output>;
}

function requireFactor(ctx: OperatorCtx): void {
  if (!ctx.secondFactorMissing) return;
  throw new DomainError(
    "second_factor_missing",
    "This installation asks for a second factor. Set one up first.",
  );
}

/** Declares what operators look at: nothing is read before the log says so. */
export function look<Output, Input extends Optional = undefined>(
  spec: Spec<Input, Output>,
): ConsoleOperation<"query", Input, Output> {
  const { action, run, polled = false, withoutFactor = false } = spec;
  return {
    kind: "query",
    action,
    input: spec.input as Input,
    call: async (ctx, input) => {
      if (!withoutFactor) requireFactor(ctx);
      await recordLook(ctx, action, input as Record<string, unknown> | undefined);
      if (!polled) await touchSession(ctx);
      return run(ctx, input);
    },
  };
}

/** Declares what operators change. Its use case writes the log in the transaction of the change. */
export function change<Output, Input extends Optional = undefined>(
  spec: Omit<Spec<Input, Output>, "polled">,
): ConsoleOperation<"mutation", Input, Output> {
  const { action, run, withoutFactor = false } = spec;
  return {
    kind: "mutation",
    action,
    input: spec.input as Input,
    call: async (ctx, input) => {
      if (!withoutFactor) requireFactor(ctx);
      await touchSession(ctx);
      return run(ctx, input);
    },
  };
}
