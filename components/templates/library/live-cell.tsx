import { Badge } from "../../ui/badge.tsx";
import { cn } from "../../ui/cn.ts";
import type { TemplateGroup, TemplateVariant } from "./types.ts";

/** What one environment has of one template. */
export function VariantLive({ variant, environmentId }: { variant: TemplateVariant; environmentId: string }) {
  const deployment = variant.deployments.find((each) => each.environmentId === environmentId);
  if (!deployment) {
    return (
      <span className="text-ink-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">not live</span>
      </span>
    );
  }
  const behind = deployment.version < variant.latestVersion;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        className={cn(
          "tabular",
          deployment.disabled && "text-danger-text line-through",
          !deployment.disabled && behind && "text-warning-text",
        )}
        title={behind ? `The latest is version ${variant.latestVersion}` : undefined}
      >
        v{deployment.version}
        {behind ? <span className="sr-only">, behind the latest</span> : null}
      </span>
      {deployment.disabled ? <Badge tone="danger">Off</Badge> : null}
    </span>
  );
}

/** What one environment has of all variants of a name. */
export function GroupLive({ group, environmentId }: { group: TemplateGroup; environmentId: string }) {
  const [only] = group.variants;
  if (group.matching === 1 && only) return <VariantLive variant={only} environmentId={environmentId} />;
  const here = group.environments.find((each) => each.environmentId === environmentId);
  if (!here) {
    return (
      <span className="text-ink-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">none live</span>
      </span>
    );
  }
  const deployed = here.live + here.disabled;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        className={cn("tabular", here.behind > 0 ? "text-warning-text" : "text-ink")}
        title={`${here.live} of ${group.matching} used${here.behind > 0 ? `, ${here.behind} in an older version` : ""}`}
      >
        {here.live}
        {deployed < group.matching || here.disabled > 0 ? (
          <span className="text-ink-faint"> / {group.matching}</span>
        ) : null}
        {here.behind > 0 ? <span className="sr-only">, {here.behind} in an older version</span> : null}
      </span>
      {here.disabled > 0 ? <Badge tone="danger">{here.disabled} off</Badge> : null}
    </span>
  );
}
