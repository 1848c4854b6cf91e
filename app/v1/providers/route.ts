import { mountRoutes } from "../../../server/rest/mount-routes.ts";
import { createProviderRoute, listProvidersRoute } from "../../../server/providers/rest.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(createProviderRoute, listProvidersRoute);
