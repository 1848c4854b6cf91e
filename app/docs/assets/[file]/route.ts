import { docsAsset } from "../../../../server/rest/docs-assets.ts";

export const dynamic = "force-dynamic";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  return docsAsset((await params).file);
}
