"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";
import type { SetUpWays } from "./second-factor-set-up.tsx";

/** How a member sets up a second factor. */
export function usePortalWays(): SetUpWays {
  const trpc = useTRPC();
  return {
    start: useMutation(trpc.secondFactor.start.mutationOptions()).mutateAsync,
    confirm: useMutation(trpc.secondFactor.confirm.mutationOptions()).mutateAsync,
  };
}
