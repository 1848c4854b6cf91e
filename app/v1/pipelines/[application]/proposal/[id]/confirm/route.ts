import { confirmPipelineChangeRoute } from "../../../../../../../server/pipelines/rest.ts";
import { mountRoutes } from "../../../../../../../server/rest/mount-routes.ts";

export const dynamic = "force-dynamic";
export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(confirmPipelineChangeRoute);
