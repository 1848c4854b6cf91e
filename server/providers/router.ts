import { procedure, router } from "../trpc/init.ts";
import { listProviders } from "./list-providers.ts";

export const providersRouter = router({
  list: procedure.meta({ permission: "providers:read" }).query(({ ctx }) => listProviders(ctx.tidings)),
});
