import { restDeps } from "../../../../server/rest/rest-deps.ts";
import { serveCallback } from "../../../../server/rest/serve-callback.ts";

export const dynamic = "force-dynamic";

interface Context {
  params: Promise<{ connectionId: string }>;
}

async function handle(request: Request, { params }: Context): Promise<Response> {
  return serveCallback(request, (await params).connectionId, restDeps);
}

// Some providers check an address with a GET before they use it.
export { handle as GET, handle as POST };
