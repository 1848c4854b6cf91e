import { EllipsisVertical } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";

/** Parts of the organisation, one beneath the other. */
export function PartList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y divide-line">
        {children}
      </ul>
    </Card>
  );
}

/** One part: what it is called, what is to be known of it, and what can be done with it. */
export function PartRow({
  name,
  code,
  badge,
  children,
  actions,
}: {
  name: string;
  /** What requests and addresses call it. */
  code: string;
  badge?: ReactNode;
  children?: ReactNode;
  actions: readonly { label: string; danger?: boolean; onSelect: () => void }[];
}) {
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {code === name ? null : (
            <code className="font-mono text-xs font-normal break-all text-ink-muted">{code}</code>
          )}
          {badge}
        </p>
        {children ? <div className="mt-0.5 text-sm break-words text-ink-muted">{children}</div> : null}
      </div>
      {actions.length > 0 ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="iconSm" aria-label={`Actions for ${name}`}>
              <EllipsisVertical aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            {actions.map(({ label, danger, onSelect }) => (
              <DropdownMenuItem
                key={label}
                onSelect={onSelect}
                className={danger ? "text-danger-text" : undefined}
              >
                {label}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </li>
  );
}
