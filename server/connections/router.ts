import { z } from "zod";
import { authorizeSomewhere } from "../operations/authorize.ts";
import { procedure, router } from "../trpc/init.ts";
import { createProvider } from "./create-provider.ts";
import { deleteProvider } from "./delete-provider.ts";
import { getProvider } from "./get-provider.ts";
import { listAdapters } from "./list-adapters.ts";
import { listProviders } from "./list-providers.ts";
import { readPriceList } from "./read-price-list.ts";
import { providerCreateSchema, providerUpdateSchema, testUnsavedSchema } from "./schemas.ts";
import { testProvider, testUnsavedProvider } from "./test-provider.ts";
import { updateProvider } from "./update-provider.ts";

const one = z.object({ id: z.uuid() });
const environmentId = z.uuid().optional();
const read = procedure.meta({ permissions: ["providers:read"] });
const managed = procedure.meta({ permissions: ["providers:manage"] });

/** Connections to providers, for the portal. */
export const providersRouter = router({
  list: read
    .input(z.object({ environmentId }).optional())
    .query(({ ctx, input }) => listProviders(ctx.tidings, input)),
  get: read.input(one.extend({ environmentId })).query(({ ctx, input }) => getProvider(ctx.tidings, input)),
  adapters: read.query(({ ctx }) => listAdapters(ctx.tidings)),
  create: managed
    .input(providerCreateSchema)
    .mutation(({ ctx, input }) => createProvider(ctx.tidings, input)),
  update: managed
    .input(one.extend({ changes: providerUpdateSchema }))
    .mutation(({ ctx, input }) => updateProvider(ctx.tidings, input)),
  delete: managed
    .input(one.extend({ force: z.boolean().optional() }))
    .mutation(({ ctx, input }) => deleteProvider(ctx.tidings, input)),
  readPriceList: managed.input(z.object({ csv: z.string().max(500_000) })).mutation(({ ctx, input }) => {
    authorizeSomewhere(ctx.tidings, "providers:manage");
    return readPriceList(input.csv);
  }),
  test: managed.input(one).mutation(({ ctx, input }) => testProvider(ctx.tidings, input)),
  testUnsaved: managed
    .input(testUnsavedSchema)
    .mutation(({ ctx, input }) => testUnsavedProvider(ctx.tidings, input)),
});
