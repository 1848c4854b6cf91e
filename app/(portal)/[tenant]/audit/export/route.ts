import { serveAuditExport } from "../../../../../server/trpc/audit-export.ts";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ tenant: string }> },
): Promise<Response> {
  return serveAuditExport(request, (await params).tenant);
}
