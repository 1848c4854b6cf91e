"use client";

import { useRouter } from "next/navigation";
import { useRefresh } from "../trpc/use-refresh.ts";

/** To be called when a part of the organisation changed: what is around every page comes from the server with the page. */
export function useSetUpChanged(): () => Promise<unknown> {
  const router = useRouter();
  const refresh = useRefresh("tenancy");
  return () => {
    router.refresh();
    return refresh();
  };
}
