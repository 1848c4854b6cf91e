import { notFound } from "next/navigation";
import { handleConsole } from "../../../../server/trpc/console-handle.ts";

async function handle(request: Request): Promise<Response> {
  return (await handleConsole(request)) ?? notFound();
}

export { handle as GET, handle as POST };
