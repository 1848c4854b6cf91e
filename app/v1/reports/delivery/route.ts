import { mountRoutes } from "../../../../server/rest/mount-routes.ts";
import { getDeliveryReport } from "../../../../server/insights/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(getDeliveryReport);
