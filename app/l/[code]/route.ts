import { restDeps } from "../../../server/rest/rest-deps.ts";
import { serveShortLink } from "../../../server/rest/serve-short-link.ts";

export const dynamic = "force-dynamic";

interface Context {
  params: Promise<{ code: string }>;
}

async function handle(request: Request, { params }: Context): Promise<Response> {
  return serveShortLink(request, (await params).code, restDeps);
}

export { handle as GET, handle as HEAD };
