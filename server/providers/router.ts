import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { listProviders } from "./list-providers.ts";

export const providersRouter = router({
  list: procedure
    .meta({ permission: "providers:read" })
    .input(z.object({ environmentId: z.uuid().optional() }).optional())
    .query(({ ctx, input }) => listProviders(ctx.tidings, input)),
});
