"use client";

import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";

/** The end of a list that grows downwards: asks for its next page; nothing when there is none. */
export function LoadMore({
  query,
  children = "Load more",
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  children?: ReactNode;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center border-t border-line py-2">
      <Button
        size="sm"
        variant="ghost"
        pending={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {children}
      </Button>
    </div>
  );
}
