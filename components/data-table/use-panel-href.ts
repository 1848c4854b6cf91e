"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The address of the page that is shown with the panel of one row open, by the row's id. */
export function usePanelHref(): (id: string) => string {
  const pathname = usePathname();
  const search = useSearchParams();
  return (id) => {
    const query = new URLSearchParams(search);
    query.set("open", id);
    return `${pathname}?${query.toString()}`;
  };
}
