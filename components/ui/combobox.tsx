"use client";

import { Check, ChevronDown } from "lucide-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { cn } from "./cn.ts";
import type { FieldControl } from "./field.tsx";
import { inputStyle } from "./input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

/** `text` is what is searched for and shown. */
type ComboboxOption = { value: string; text: string; hint?: ReactNode };

/** A way on when nothing fits: `onSelect` is told what was typed. */
type ComboboxAction = { label: (typed: string) => string; onSelect: (typed: string) => void };

/**
 * A single choice of many, found by typing a part of it. Give it the ids of its `Field`. Below the options stand what can
 * be done when none fits, and a note.
 */
export function Combobox({
  value,
  onValueChange,
  options,
  actions = [],
  note,
  placeholder = "Choose…",
  searchLabel,
  ...aria
}: Partial<FieldControl> & {
  value: string;
  onValueChange: (value: string) => void;
  options: readonly ComboboxOption[];
  actions?: readonly ComboboxAction[];
  note?: ReactNode;
  placeholder?: string;
  /** Of the field in which one types, like "Search types". */
  searchLabel: string;
}) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const words = typed
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  const found = options.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const entries = found.length + actions.length;
  const current = Math.min(at, entries - 1);

  function change(next: boolean) {
    setOpen(next);
    setTyped("");
    setAt(
      Math.max(
        0,
        options.findIndex((each) => each.value === value),
      ),
    );
  }
  function choose(index: number) {
    const option = found[index];
    const action = actions[index - found.length];
    change(false);
    if (option) onValueChange(option.value);
    else action?.onSelect(typed.trim());
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: entries - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const target = (next + entries) % Math.max(1, entries);
      setAt(target);
      document.getElementById(`${listId}-${target}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (entries > 0) choose(current);
    }
  }
  const entry = (index: number) => ({
    id: `${listId}-${index}`,
    role: "option",
    "aria-selected": index === current,
    onPointerMove: () => setAt(index),
    onClick: () => choose(index),
  });
  const entryStyle = (index: number) =>
    cn(
      "relative flex cursor-default items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-sm select-none",
      index === current && "bg-hover",
    );
  const chosen = options.find((each) => each.value === value);

  return (
    <Popover open={open} onOpenChange={change}>
      <PopoverTrigger asChild>
        <button
          {...aria}
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={open}
          aria-controls={listId}
          className={cn(
            inputStyle,
            "flex h-8 items-center justify-between gap-2 px-2.5 text-left text-sm",
            !chosen && "text-ink-faint",
          )}
        >
          <span className="truncate">{chosen?.text ?? placeholder}</span>
          <ChevronDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent
        aria-label={searchLabel}
        className="w-(--radix-popover-trigger-width) min-w-56 p-1"
        // Into the field, not onto the first entry.
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          document.getElementById(`${listId}-search`)?.focus();
        }}
      >
        <input
          id={`${listId}-search`}
          aria-label={searchLabel}
          aria-controls={listId}
          aria-activedescendant={entries > 0 ? `${listId}-${current}` : undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          placeholder={searchLabel}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={cn(inputStyle, "mb-1 h-8 px-2.5 text-base sm:text-sm")}
        />
        <div id={listId} role="listbox" aria-label={searchLabel} className="max-h-64 overflow-y-auto">
          {found.map((option, index) => (
            <div key={option.value} {...entry(index)} className={entryStyle(index)}>
              <span className="min-w-0 truncate">{option.text}</span>
              {option.hint ? <span className="shrink-0 text-xs text-ink-faint">{option.hint}</span> : null}
              {option.value === value ? (
                <Check className="absolute right-2 size-3.5 text-accent-text" aria-hidden />
              ) : null}
            </div>
          ))}
          {actions.map((action, index) => (
            <div
              key={`action ${index}`}
              {...entry(found.length + index)}
              className={cn(entryStyle(found.length + index), "font-medium text-accent-text")}
            >
              {action.label(typed.trim())}
            </div>
          ))}
        </div>
        {found.length === 0 && actions.length === 0 ? (
          <p className="px-2 py-1.5 text-sm text-ink-muted">Nothing found</p>
        ) : null}
        {note ? <div className="border-t border-line px-2 py-1.5 text-xs text-ink-muted">{note}</div> : null}
      </PopoverContent>
    </Popover>
  );
}
