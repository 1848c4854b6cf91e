import { mountRoutes } from "../../../../../../server/rest/mount-routes.ts";
import { simulateRecipientRoute } from "../../../../../../server/sandbox/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(simulateRecipientRoute);
