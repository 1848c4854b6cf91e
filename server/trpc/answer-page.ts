import { getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import { pageRequest } from "../kernel/page-request.ts";
import type { PortalContext } from "./context.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { appRouter } from "./root.ts";
import { transformer } from "./transformer.ts";

/**
 * Lets the page that is being drawn ask the portal's queries for the signed-in reader, as their browser would over HTTP: the same
 * procedures, checks and limits. Pages for whom no language and time zone are known are drawn without data, because the browser would
 * write dates differently.
 */
export function answerPage(context: PortalContext): void {
  const page = pageRequest();
  const { session } = context;
  if (!page?.viewer || !session) return;
  const caller = appRouter.createCaller(context);
  page.call = async (path, input) => {
    try {
      await countPortalCalls(session.user.id, 1);
      const procedure = path
        .split(".")
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller) as (
        input: unknown,
      ) => Promise<unknown>;
      return { data: arrived(await procedure(input)) };
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      const config = appRouter._def._config;
      const shape = getTRPCErrorShape({ config, error, type: "query", path, input, ctx: context });
      return { error: arrived(shape) as object };
    }
  };
}

const arrived = (output: unknown): unknown =>
  JSON.parse(JSON.stringify(transformer.output.serialize(output) ?? null));
