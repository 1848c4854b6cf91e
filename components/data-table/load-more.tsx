"use client";

import type { ReactNode } from "react";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";

/** The end of a list that grows downwards: asks for its next page, and says why it did not come; nothing when there is none. */
export function LoadMore({
  query,
  className,
  children = "Load more",
}: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
  className?: string;
  children?: ReactNode;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div
      className={cn(
        "flex flex-wrap items-center justify-center gap-x-3 border-t border-line px-4 py-2",
        className,
      )}
    >
      {query.isFetchNextPageError ? (
        <p role="alert" className="text-sm text-danger-text">
          {errorText(query.error)}
        </p>
      ) : null}
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
