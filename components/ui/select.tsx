"use client";

import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ReactNode, Ref } from "react";
import { cn } from "./cn.ts";
import type { FieldControl } from "./field.tsx";
import { inputStyle } from "./input.tsx";
import { isolated } from "./isolated.ts";

export type SelectOption = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean };

/**
 * A labelled single choice. Give it the ids of its `Field`, or an `aria-label`.
 * Values are strings; the empty string means "nothing chosen".
 */
export function Select({
  value,
  onValueChange,
  options,
  placeholder = "Choose…",
  className,
  disabled,
  ref,
  ...aria
}: Partial<FieldControl> & {
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  ref?: Ref<HTMLButtonElement>;
  "aria-label"?: string;
}) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} disabled={disabled}>
      <Primitive.Trigger
        {...aria}
        ref={ref}
        className={cn(
          inputStyle,
          "flex h-8 items-center justify-between gap-2 px-2.5 text-left text-sm data-placeholder:text-ink-faint [&>span]:truncate",
          className,
        )}
      >
        {/* Said here, so that the server draws it too: radix takes it from the list, which only a browser has. */}
        <Primitive.Value placeholder={placeholder}>
          {isolated(options.find((option) => option.value === value)?.label)}
        </Primitive.Value>
        <Primitive.Icon asChild>
          <ChevronDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="z-60 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-lg border border-line bg-raised p-1 shadow-md"
        >
          <Primitive.Viewport>
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className="relative flex items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover"
              >
                <Primitive.ItemText>{isolated(option.label)}</Primitive.ItemText>
                {option.hint ? <span className="text-xs text-ink-faint">{option.hint}</span> : null}
                <Primitive.ItemIndicator className="absolute right-2">
                  <Check className="size-3.5 text-accent-text" aria-hidden />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
