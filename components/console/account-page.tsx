"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SecondFactorPanel } from "../access/second-factor-card.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { useConsole } from "./client.tsx";
import { ConsoleHeader } from "./console-header.tsx";
import { useConsoleWays } from "./use-console-ways.ts";

/** The operator's own account. */
export function OperatorAccountPage({ email }: { email: string }) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const query = useQuery(api.secondFactor.get.queryOptions());
  const ways = {
    ...useConsoleWays(),
    renew: useMutation(api.secondFactor.renewRecoveryCodes.mutationOptions()).mutateAsync,
    remove: useMutation(api.secondFactor.remove.mutationOptions()).mutateAsync,
  };
  return (
    <PageFrame className="max-w-3xl">
      <ConsoleHeader title="Your account" description={email} />
      <SecondFactorPanel
        query={query}
        ways={ways}
        refresh={() => queryClient.invalidateQueries({ queryKey: api.secondFactor.pathKey() })}
      />
    </PageFrame>
  );
}
