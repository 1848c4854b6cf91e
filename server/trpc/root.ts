import { router } from "./init.ts";

/** All procedures of the portal, one router a domain. */
export const appRouter = router({});

export type AppRouter = typeof appRouter;
