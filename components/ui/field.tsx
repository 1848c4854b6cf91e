"use client";

import { CircleAlert } from "lucide-react";
import { use, useId, type ReactNode } from "react";
import { cn } from "./cn.ts";
import { ControlComplaints } from "./form-complaints.ts";
import { isolated } from "./isolated.ts";

export type FieldControl = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

/** Label, control, hint and error that know each other: every control of `ui/` takes the ids of `children`. */
export function Field({
  label,
  hint,
  error: said,
  optional,
  className,
  name,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  className?: string;
  /** Of what it holds, in a form. */
  name?: string;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const error = use(ControlComplaints)[id] ?? said;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : null, error ? errorId : null].filter(Boolean).join(" ");
  return (
    <div data-field={name} data-control={id} className={cn("min-w-0", className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {optional ? <span className="text-xs text-ink-faint">Optional</span> : null}
      </div>
      {children({
        id,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": error ? true : undefined,
      })}
      {hint ? (
        <p id={hintId} className="mt-1.5 text-xs text-ink-muted">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={errorId} className="mt-1.5 flex items-start gap-1 text-xs text-danger-text">
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>{isolated(error)}</span>
        </p>
      ) : null}
    </div>
  );
}

/** What went wrong with a whole form, announced when it appears. */
export function FormError({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex gap-2 rounded-md border border-line bg-danger-soft px-3 py-2.5 text-sm text-danger-text"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">{isolated(title)}</p>
        {children ? <div className="mt-0.5">{children}</div> : null}
      </div>
    </div>
  );
}
