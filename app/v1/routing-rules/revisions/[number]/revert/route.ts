import { mountRoutes } from "../../../../../../server/rest/mount-routes.ts";
import { revertRoutingRulesRoute } from "../../../../../../server/routing/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(revertRoutingRulesRoute);
