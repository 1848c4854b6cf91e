import { insightsRouter } from "../insights/router.ts";
import { providersRouter } from "../providers/router.ts";
import { notificationsRouter } from "../sending/router.ts";
import { router } from "./init.ts";

/** All procedures of the portal, one router a domain. */
export const appRouter = router({
  insights: insightsRouter,
  notifications: notificationsRouter,
  providers: providersRouter,
});

export type AppRouter = typeof appRouter;
