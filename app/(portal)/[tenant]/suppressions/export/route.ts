import { serveSuppressionExport } from "../../../../../server/trpc/row-files.ts";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ tenant: string }> },
): Promise<Response> {
  return serveSuppressionExport(request, (await params).tenant);
}
