import { cn } from "./cn.ts";
import { CopyButton } from "./copy-button.tsx";

/** Text to be read or copied as it is. Scrolls by itself and by keyboard. */
export function CodeBlock({
  code,
  label,
  wrap,
  className,
}: {
  code: string;
  label: string;
  /** For prose: long lines break instead of running out of sight. */
  wrap?: boolean;
  className?: string;
}) {
  return (
    <div className={cn("group relative rounded-md border border-line bg-sunken", className)}>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cn(
          "max-h-96 overflow-auto px-3 py-2.5 pr-10 font-mono text-xs leading-5 text-ink",
          wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre",
        )}
      >
        {code}
      </pre>
      <CopyButton
        value={code}
        label={`Copy ${label.toLowerCase()}`}
        className="absolute top-1.5 right-1.5 bg-sunken"
      />
    </div>
  );
}
