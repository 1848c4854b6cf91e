"use client";

import { useId, type ReactNode } from "react";
import { Checkbox } from "./checkbox.tsx";
import { isolated } from "./isolated.ts";

/** A choice with its label and what it means. */
export function CheckboxField({
  label,
  checked,
  disabled,
  onChange,
  children,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Checkbox
        id={id}
        aria-describedby={children ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(on) => onChange(on === true)}
        className="mt-0.5"
      />
      <div className="min-w-0 text-sm">
        <label htmlFor={id} className="font-medium">
          {isolated(label)}
        </label>
        {children ? (
          <div id={`${id}-hint`} className="text-xs text-ink-muted">
            {children}
          </div>
        ) : null}
      </div>
    </div>
  );
}
