"use client";

import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { accessOf, mayOpen } from "./page-access.ts";

// Few readers ever see it.
const NoAccess = dynamic(() => import("./no-access.tsx"));

/** A page, for those who may see it; the others are told so, instead of meeting a form that they cannot send. */
export function AccessGate({ children }: { children: ReactNode }) {
  const portal = usePortal();
  const access = accessOf(usePathname().slice(`/${portal.tenant.slug}`.length));
  return !access || mayOpen(access, portal) ? children : <NoAccess access={access} />;
}
