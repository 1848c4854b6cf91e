import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { portalContext } from "../../server/trpc/context.ts";
import { appRouter } from "../../server/trpc/root.ts";

/**
 * The signed-in person and their view of the tenant, once per request. Without a live session the browser is
 * sent to the sign-in page and comes back to where it was going.
 */
export const loadPortal = cache(async () => {
  const received = await headers();
  const context = await portalContext(received.get("cookie"));
  if (!context.session) {
    const target = received.get("x-portal-path");
    redirect(target && target !== "/" ? `/sign-in?callbackUrl=${encodeURIComponent(target)}` : "/sign-in");
  }
  return appRouter.createCaller(context).tenancy.me();
});
