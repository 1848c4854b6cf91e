import { referenceTagPage } from "../../../../server/rest/reference-pages.ts";

export const dynamic = "force-dynamic";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ tag: string }> },
): Promise<Response> {
  return referenceTagPage((await params).tag);
}
