"use client";

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";

/** Says that the address names an environment or a team that isn't there, and what is shown in place of it. */
export function UnknownPlaceBanner() {
  const { environment, unknown, setEnvironment, setUnit } = usePortal();
  if (unknown.environment === null && unknown.unit === null) return null;
  return (
    <div role="status">
      {unknown.environment === null ? null : (
        <Line onDismiss={() => setEnvironment(environment.slug)}>
          Can't find the environment “{unknown.environment}”. {environment.name} is shown instead.
        </Line>
      )}
      {unknown.unit === null ? null : (
        <Line onDismiss={() => void setUnit(null)}>
          Can't find the team “{unknown.unit}”, or you don't have access to it. All your teams are shown
          instead.
        </Line>
      )}
    </div>
  );
}

function Line({ onDismiss, children }: { onDismiss: () => void; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 border-b border-line bg-warning-soft px-4 py-2 text-sm text-warning-text lg:px-8 print:hidden">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1 break-words">{children}</span>
      <Button variant="link" size="sm" className="text-warning-text" onClick={onDismiss}>
        Dismiss
      </Button>
    </p>
  );
}
