"use client";

import { usePortal, usePortalData } from "../../portal/portal-context.tsx";

/** Asks whether the reader may do something with the templates of an application, whichever team is chosen on top. */
export function useMay(): (permission: string, applicationId: string) => boolean {
  const { canIn } = usePortal();
  const { applications } = usePortalData();
  return (permission, applicationId) =>
    canIn(permission, applications.find((each) => each.id === applicationId)?.unitId ?? null);
}
