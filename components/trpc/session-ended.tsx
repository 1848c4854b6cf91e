"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AlertDialog as Primitive } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";

/** Why nothing answers the reader any more. */
export type SessionEnd = "session" | "second factor";

const words: Record<SessionEnd, { title: string; first: (email: string) => string; action: string }> = {
  session: {
    title: "Your session has ended",
    first: (email: string) => `Sign in as ${email} in a new tab`,
    action: "Sign in in a new tab",
  },
  "second factor": {
    title: "A second factor is required",
    first: () => "Set it up in a new tab",
    action: "Set up in a new tab",
  },
};

function discard() {
  // Agreed to: no form asks again.
  window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true });
  window.location.reload();
}

/**
 * Covers a page that would take something with it, until its reader is signed in again. Then it goes on as it was: for nobody else,
 * because the page's calls name whose it is.
 */
export function SessionEnded({
  end,
  email,
  ask,
  onBack,
}: {
  end: SessionEnd;
  email: string;
  /** What every signed-in person may ask: once it is answered, they are back. */
  ask: () => Promise<unknown>;
  onBack: () => void;
}) {
  const action = useRef<HTMLAnchorElement>(null);
  const [endedAt] = useState(() => Date.now());
  const { dataUpdatedAt } = useQuery({
    queryKey: ["signed in again"],
    queryFn: ask,
    refetchInterval: 3_000,
    staleTime: 0,
  });
  const isBack = dataUpdatedAt > endedAt;
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isBack) return;
    onBack();
    // Not what a form began with: its changes are held against that.
    void queryClient.refetchQueries({ type: "active", stale: true });
  }, [isBack, onBack, queryClient]);
  const { title, first, action: label } = words[end];
  return (
    <Primitive.Root open>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-100 bg-canvas" />
        <Primitive.Content
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            action.current?.focus();
          }}
          onEscapeKeyDown={(event) => event.preventDefault()}
          className="fixed top-[18vh] left-1/2 z-100 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 rounded-xl border border-line bg-raised shadow-lg outline-none"
        >
          <div className="px-5 pt-4 pb-5 break-words">
            <Primitive.Title className="text-lg font-semibold tracking-tight">{title}</Primitive.Title>
            <Primitive.Description className="mt-1.5 text-sm text-ink-muted">
              {first(email)}, then come back to this one. Nothing on it is lost.
            </Primitive.Description>
          </div>
          <footer className="flex flex-wrap justify-end gap-2 rounded-b-xl border-t border-line bg-canvas px-5 py-3">
            <Button onClick={discard}>Discard and leave</Button>
            <Button asChild variant="primary">
              <a
                ref={action}
                // The server leads to the sign-in and back, or to setting up the factor.
                href={window.location.pathname + window.location.search}
                target="_blank"
                rel="noreferrer"
              >
                {label}
              </a>
            </Button>
          </footer>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
