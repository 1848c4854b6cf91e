export { explorerPage as GET } from "../../../server/rest/docs-pages.ts";

export const dynamic = "force-dynamic";
