"use client";

import { signOut } from "./sign-out.ts";
import dynamic from "next/dynamic";
import { PublicPage } from "../onboarding/public-page.tsx";
import { Button } from "../ui/button.tsx";
import { usePortalWays } from "./use-portal-ways.ts";

// Only for those who see it: this stands in the layout of every page.
const SecondFactorSetUp = dynamic(() =>
  import("./second-factor-set-up.tsx").then((module) => module.SecondFactorSetUp),
);

/** Takes the place of every page for somebody who has no second factor in an organisation that asks for one. */
export function SecondFactorFirst({ tenant }: { tenant: string }) {
  const ways = usePortalWays();
  return (
    <PublicPage
      title="Set up second factor"
      description={`${tenant} requires one: a code from an authenticator app, in addition to your password.`}
    >
      <SecondFactorSetUp ways={ways} doneLabel="Go to the portal" onDone={() => window.location.reload()} />
      <p className="mt-8 border-t border-line pt-4">
        <Button size="sm" onClick={() => void signOut()}>
          Sign out
        </Button>
      </p>
    </PublicPage>
  );
}
