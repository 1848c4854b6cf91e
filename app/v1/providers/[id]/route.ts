import { mountRoutes } from "../../../../server/rest/mount-routes.ts";
import {
  deleteProviderRoute,
  getProviderRoute,
  updateProviderRoute,
} from "../../../../server/providers/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(
  deleteProviderRoute,
  getProviderRoute,
  updateProviderRoute,
);
