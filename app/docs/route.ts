export { guidesPage as GET } from "../../server/rest/guide-pages.ts";

export const dynamic = "force-dynamic";
