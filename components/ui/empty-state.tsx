import { CircleCheck, SearchX, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { isolated } from "./isolated.ts";

function Frame({
  icon: Icon,
  title,
  children,
  action,
  className,
  tone = "plain",
  page,
}: {
  icon: LucideIcon;
  title: string;
  /** All that the page says: its title is the page's heading. */
  page?: boolean;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
  tone?: "plain" | "success" | "danger";
}) {
  const Heading = page ? "h1" : "h2";
  return (
    <div className={cn("flex flex-col items-center px-6 py-14 text-center", className)}>
      <span
        className={cn(
          "mb-3.5 grid size-10 place-items-center rounded-lg border border-line bg-canvas shadow-xs",
          tone === "plain" && "text-ink-muted",
          tone === "success" && "text-success-text",
          tone === "danger" && "text-danger-text",
        )}
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      </span>
      <Heading className="text-base font-semibold">{isolated(title)}</Heading>
      {children ? (
        <div className="mt-1 max-w-sm text-sm text-balance text-ink-muted">{isolated(children)}</div>
      ) : null}
      {action ? <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

/** Nothing has happened here yet: says what would, and offers the first step. */
export function NothingYet(props: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
  page?: boolean;
}) {
  return <Frame {...props} />;
}

/** Filters leave nothing over: offers to clear them. */
export function NoMatch({
  what,
  title = `No ${what} match these filters`,
  hint = "Widen the time range or remove a filter to see more.",
  onClear,
  action,
  className,
}: {
  what: string;
  title?: string | undefined;
  hint?: string | undefined;
  /** A way that may lead further, before the filters are cleared. */
  action?: ReactNode;
  onClear: () => void;
  className?: string;
}) {
  return (
    <Frame
      icon={SearchX}
      title={title}
      className={className}
      action={
        <>
          {action}
          <Button onClick={onClear} size="sm">
            Clear filters
          </Button>
        </>
      }
    >
      {hint}
    </Frame>
  );
}

/** Work that ran out, which is good. */
export function AllDone({
  title,
  children,
  className,
}: {
  title: string;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <Frame icon={CircleCheck} title={title} tone="success" className={className}>
      {children}
    </Frame>
  );
}

/** Loading failed; what was on screen is gone, so the way back is a retry. */
export function LoadFailed({
  what,
  detail,
  onRetry,
  className,
}: {
  what: string;
  detail?: string;
  onRetry?: () => void;
  className?: string;
}) {
  return (
    <div role="alert">
      <Frame
        icon={TriangleAlert}
        title={`Could not load ${what}`}
        tone="danger"
        className={className}
        action={
          onRetry ? (
            <Button onClick={onRetry} size="sm">
              Try again
            </Button>
          ) : null
        }
      >
        {detail ?? "Your connection or the service may be briefly unavailable."}
      </Frame>
    </div>
  );
}
