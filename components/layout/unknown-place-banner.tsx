"use client";

import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { Warning } from "../ui/warning.tsx";

/** Says that the address names an environment or a team that isn't there, and what is shown in place of it. */
export function UnknownPlaceBanner() {
  const { environment, unknown, setEnvironment, setUnit } = usePortal();
  if (unknown.environment === null && unknown.unit === null) return null;
  const dismiss = (onClick: () => void) => (
    <Button variant="link" size="sm" className="text-warning-text" onClick={onClick}>
      Dismiss
    </Button>
  );
  return (
    <div role="status">
      {unknown.environment === null ? null : (
        <Warning banner action={dismiss(() => setEnvironment(environment.slug))}>
          Can't find the environment “<bdi>{unknown.environment}</bdi>”. <bdi>{environment.name}</bdi> is
          shown instead.
        </Warning>
      )}
      {unknown.unit === null ? null : (
        <Warning banner action={dismiss(() => void setUnit(null))}>
          Can't find the team “<bdi>{unknown.unit}</bdi>”, or you don't have access to it. All your teams are
          shown instead.
        </Warning>
      )}
    </div>
  );
}
