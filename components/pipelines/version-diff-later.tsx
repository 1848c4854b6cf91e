"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "../ui/skeleton.tsx";

/** VersionDiff, which comes with the comparing of texts and mails when a change is opened. */
export const VersionDiff = dynamic(() => import("./version-diff.tsx").then((module) => module.VersionDiff), {
  loading: () => (
    <div className="grid gap-2" aria-busy>
      <Skeleton className="w-24" />
      <Skeleton className="h-16 w-full" />
    </div>
  ),
});
