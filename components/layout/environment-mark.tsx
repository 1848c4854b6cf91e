import type { EnvironmentKind } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";

const edge: Record<EnvironmentKind, string> = {
  production: "env-edge-production",
  nonproduction: "env-edge-nonproduction",
  sandbox: "env-edge-sandbox",
};

/** A line along the top of the window: solid orange is production, hatched is the sandbox. */
export function EnvironmentEdge({ kind }: { kind: EnvironmentKind }) {
  return <div aria-hidden className={cn("fixed inset-x-0 top-0 z-45 h-[3px] print:hidden", edge[kind])} />;
}

const swatch: Record<EnvironmentKind, string> = {
  production: "bg-env-production",
  nonproduction: "bg-env-nonproduction",
  sandbox: "bg-env-sandbox",
};

export function EnvironmentSwatch({ kind, className }: { kind: EnvironmentKind; className?: string }) {
  return (
    <span
      aria-hidden
      className={cn(
        "size-2 shrink-0 rounded-full",
        swatch[kind],
        kind === "sandbox" && "rounded-[3px]",
        className,
      )}
    />
  );
}

export const environmentKindLabel: Record<EnvironmentKind, string> = {
  production: "Real recipients",
  nonproduction: "Real providers, test traffic",
  sandbox: "Simulated, nothing is sent",
};

/** Says "production" in words beside what would reach real people. */
export function ProductionPill({ kind }: { kind: EnvironmentKind }) {
  if (kind !== "production") return null;
  return (
    <span className="inline-flex h-5 items-center gap-1.5 rounded-sm bg-env-production-soft px-1.5 text-2xs font-semibold text-env-production-text">
      <EnvironmentSwatch kind="production" className="size-1.5" />
      Production
    </span>
  );
}
