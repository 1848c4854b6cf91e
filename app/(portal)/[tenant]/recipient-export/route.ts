import { serveRecipientExport } from "../../../../server/trpc/recipient-export.ts";

export const dynamic = "force-dynamic";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ tenant: string }> },
): Promise<Response> {
  return serveRecipientExport(request, (await params).tenant);
}
