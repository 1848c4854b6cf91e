"use client";

import { useRouter } from "next/navigation";
import { toast } from "../ui/toast.ts";
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

/** The end of a dialog that changed a part: says so, closes it and shows the change. */
export function useSaved(onClose: () => void): (message: string) => Promise<unknown> {
  const changed = useSetUpChanged();
  return (message) => {
    toast.success(message);
    onClose();
    return changed();
  };
}
