"use client";

import { SecondFactorSetUp } from "../access/second-factor-set-up.tsx";
import { Button } from "../ui/button.tsx";
import { ConsoleDoor } from "./console-door.tsx";
import { signOutOfConsole } from "./sign-out.ts";
import { useConsoleWays } from "./use-console-ways.ts";

/** Takes the place of every page for an operator without a second factor, where the installation asks for one. */
export function OperatorFactorFirst() {
  const ways = useConsoleWays();
  return (
    <ConsoleDoor
      title="Set up second factor"
      description="The console requires one: a code from an authenticator app, in addition to your password."
      className="max-w-lg"
    >
      <SecondFactorSetUp
        ways={ways}
        doneLabel="Go to the console"
        onDone={() => window.location.assign("/console/organisations")}
      />
      <p className="mt-6 border-t border-line pt-4">
        <Button size="sm" onClick={() => void signOutOfConsole()}>
          Sign out
        </Button>
      </p>
    </ConsoleDoor>
  );
}
