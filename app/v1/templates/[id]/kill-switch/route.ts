import { mountRoutes } from "../../../../../server/rest/mount-routes.ts";
import { setKillSwitchRoute } from "../../../../../server/templates/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(setKillSwitchRoute);
