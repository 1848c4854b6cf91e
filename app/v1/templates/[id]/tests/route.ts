import { mountRoutes } from "../../../../../server/rest/mount-routes.ts";
import { testTemplateRoute } from "../../../../../server/sending/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(testTemplateRoute);
