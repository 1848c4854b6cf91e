import { procedure, router } from "../trpc/init.ts";
import { getResidency } from "./get-residency.ts";
import { residencyUpdateSchema } from "./schemas.ts";
import { updateResidency } from "./update-residency.ts";

const managed = procedure.meta({ permissions: ["settings:manage"] });

/** Where the organisation's data may be processed, for the portal. */
export const residencyRouter = router({
  get: managed.query(({ ctx }) => getResidency(ctx.tidings)),
  update: managed
    .input(residencyUpdateSchema)
    .mutation(({ ctx, input }) => updateResidency(ctx.tidings, input)),
});
