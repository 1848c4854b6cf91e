import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { answerPage } from "../../server/trpc/answer-page.ts";
import { organisationsOf, portalContext } from "../../server/trpc/context.ts";
import { appRouter } from "../../server/trpc/root.ts";

/**
 * The signed-in person and their view of the tenant that the address names, once per request. Without a live session the browser is
 * sent to the sign-in page and comes back to where it was going.
 */
export const loadPortal = cache(async () => {
  const received = await headers();
  const cookies = received.get("cookie");
  const target = received.get("x-portal-path");
  const [organisation] = (target ?? "").split(/[/?#]/).filter(Boolean);
  const named = await portalContext(cookies, { organisation });
  // Signed in, but not to the organisation that the address names: its layout says that there is nothing.
  const context = named.session ? named : await portalContext(cookies);
  if (!context.session) {
    redirect(target && target !== "/" ? `/sign-in?callbackUrl=${encodeURIComponent(target)}` : "/sign-in");
  }
  answerPage(context);
  const [me, signedInTo] = await Promise.all([
    appRouter.createCaller(context).tenancy.me(),
    organisationsOf(cookies),
  ]);
  return {
    ...me,
    ...signedInTo,
    secondFactorMissing: context.session.secondFactorMissing,
    drawnAt: Date.now(),
  };
});
