export { referencePage as GET } from "../../../server/rest/reference-pages.ts";

export const dynamic = "force-dynamic";
