"use client";

import { useMutation } from "@tanstack/react-query";
import type { SetUpWays } from "../access/second-factor-set-up.tsx";
import { useConsole } from "./client.tsx";

/** How an operator sets up a second factor. */
export function useConsoleWays(): SetUpWays {
  const api = useConsole();
  return {
    start: useMutation(api.secondFactor.start.mutationOptions()).mutateAsync,
    confirm: useMutation(api.secondFactor.confirm.mutationOptions()).mutateAsync,
  };
}
