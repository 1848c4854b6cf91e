import { mountRoutes } from "../../../server/rest/mount-routes.ts";
import { listImportsRoute, planImportRoute } from "../../../server/template-files/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(listImportsRoute, planImportRoute);
