"use client";

import type { TemplateDeployment } from "../../server/templates/schemas.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";

/** In which environments a template is live, and with which version; older than the latest stands out. */
export function LiveIn({
  deployments,
  latestVersion,
}: {
  deployments: readonly TemplateDeployment[];
  latestVersion: number;
}) {
  const { environments } = usePortal();
  if (deployments.length === 0) return <span className="text-ink-faint">nowhere</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      {environments.map((environment) => {
        const deployment = deployments.find((each) => each.environmentId === environment.id);
        if (!deployment) return null;
        return (
          <span
            key={environment.id}
            className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap"
            title={`${environment.name}: version ${deployment.version}${deployment.disabled ? ", switched off" : ""}`}
          >
            <EnvironmentSwatch kind={environment.kind} />
            <span className="sr-only">{environment.name}</span>
            <span
              className={cn(
                "tabular",
                deployment.disabled && "text-danger-text line-through",
                !deployment.disabled && deployment.version < latestVersion && "text-warning-text",
              )}
            >
              v{deployment.version}
            </span>
          </span>
        );
      })}
    </span>
  );
}
