"use client";

import { Compass, Lock } from "lucide-react";
import { LoadFailed, NothingYet } from "../ui/empty-state.tsx";
import { statusOf } from "./client.tsx";
import { Button } from "../ui/button.tsx";
import { errorText } from "./error-text.ts";

/** To the page before, or the portal's first one where there was none. */
function goBack() {
  if (window.history.length > 1) window.history.back();
  else window.location.assign("/");
}

/** A query that failed: gone and forbidden look different from broken, because trying again helps only the last. */
export function QueryFailed({
  what,
  query,
  className,
}: {
  what: string;
  query: { error: unknown; refetch: () => unknown };
  className?: string;
}) {
  const status = statusOf(query.error);
  if (status === 404) {
    return (
      <NothingYet
        icon={Compass}
        title={`Can't find ${what}`}
        className={className}
        action={
          <Button size="sm" onClick={goBack}>
            Go back
          </Button>
        }
      >
        It may have been deleted or erased, or you don't have access to its team.
      </NothingYet>
    );
  }
  if (status === 403) {
    return (
      <NothingYet icon={Lock} title={`You don't have access to ${what}`} className={className}>
        Ask an administrator of your organisation for a role that includes it.
      </NothingYet>
    );
  }
  return (
    <LoadFailed
      what={what}
      detail={errorText(query.error)}
      onRetry={() => void query.refetch()}
      className={className}
    />
  );
}
