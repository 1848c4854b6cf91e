import { mountRoutes } from "../../../server/rest/mount-routes.ts";
import { createWebhookRoute, listWebhooksRoute } from "../../../server/webhooks/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(createWebhookRoute, listWebhooksRoute);
