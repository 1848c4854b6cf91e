import { serveExport } from "../../../../../../server/trpc/row-files.ts";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ tenant: string; id: string }> },
): Promise<Response> {
  const { tenant, id } = await params;
  return serveExport(request, tenant, id);
}
