"use client";

import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";

/** A few exclusive choices side by side (a period, a view). One is always chosen. */
export function Segmented<T extends string>({
  value,
  onValueChange,
  options,
  label,
}: {
  value: T;
  onValueChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode; title?: string }[];
  label: string;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      onValueChange={(next) => next && onValueChange(next as T)}
      aria-label={label}
      className="inline-flex h-8 items-center gap-0.5 rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          title={option.title}
          // What is seen comes first in the name, so that it can be said to a computer that listens.
          aria-label={
            option.title !== undefined && typeof option.label === "string"
              ? `${option.label}, ${option.title}`
              : option.title
          }
          className="inline-flex h-full items-center gap-1.5 rounded-[5px] px-2.5 text-xs font-medium text-ink-muted transition-colors hover:text-ink data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:shadow-xs [&_svg]:size-3.5"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
