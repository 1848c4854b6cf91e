import { guidePage } from "../../../server/rest/guide-pages.ts";

export const dynamic = "force-dynamic";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ page: string[] }> },
): Promise<Response> {
  return guidePage((await params).page.join("/"));
}
