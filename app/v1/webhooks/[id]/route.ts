import { mountRoutes } from "../../../../server/rest/mount-routes.ts";
import { deleteWebhookRoute, getWebhookRoute, updateWebhookRoute } from "../../../../server/webhooks/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(
  deleteWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
);
