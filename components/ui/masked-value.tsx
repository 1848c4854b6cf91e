import { EyeOff } from "lucide-react";
import { cn } from "./cn.ts";

/**
 * An address or text that the server has masked for this reader (permission content:reveal).
 * The mask comes from the server; nothing hidden is in the page.
 */
export function MaskedValue({
  value,
  masked,
  className,
}: {
  value: string;
  masked: boolean;
  className?: string;
}) {
  if (!masked) return <span className={cn("tabular", className)}>{value}</span>;
  return (
    <span
      className={cn("inline-flex items-center gap-1.5 text-ink-muted tabular", className)}
      title="You don't have access to the full value"
    >
      {value}
      <EyeOff className="size-3 shrink-0 text-ink-faint" aria-hidden />
      <span className="sr-only">(masked)</span>
    </span>
  );
}
