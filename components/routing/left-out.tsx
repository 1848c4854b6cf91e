import { Fold } from "../ui/fold.tsx";

/** What was not taken, and why each was not. */
export function LeftOut({
  summary,
  items,
  open,
  className,
}: {
  summary: string;
  items: readonly { name: string; why: string }[];
  open?: boolean;
  className?: string;
}) {
  if (items.length === 0) return null;
  return (
    <Fold summary={summary} open={open} className={className}>
      <ul className="mt-1.5 grid max-h-64 grid-cols-1 gap-1 overflow-y-auto border-l border-line pl-3 text-xs">
        {items.map(({ name, why }, index) => (
          <li key={index} className="break-words">
            <span className="font-medium">{name}</span>: <span className="text-ink-muted">{why}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
