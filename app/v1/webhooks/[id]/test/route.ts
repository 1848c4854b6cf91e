import { mountRoutes } from "../../../../../server/rest/mount-routes.ts";
import { testWebhookRoute } from "../../../../../server/webhooks/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(testWebhookRoute);
