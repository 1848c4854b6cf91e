"use client";

import { Command } from "cmdk";
import { Check, ChevronDown, X } from "lucide-react";
import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";

export type FilterOption<Value extends string = string> = { value: Value; label: string; mark?: ReactNode };

/** One filter as a button that shows what is chosen; the list can be searched when it is long. */
export function FilterMenu({
  label,
  options,
  selected,
  onChange,
  multiple = true,
  search,
  names: others = {},
}: {
  label: string;
  options: readonly FilterOption[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  multiple?: boolean;
  /** The server finds the options; without it all of them are there. */
  search?: { value: string; onChange: (value: string) => void; pending: boolean; placeholder: string };
  /** Labels of what is selected and not among the options. */
  names?: Readonly<Record<string, string>>;
}) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [lit, setLit] = useState("");
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const active = selected.length > 0;
  const nameOf = (value: string) =>
    options.find((option) => option.value === value)?.label ?? others[value] ?? (search ? "…" : value);
  const names = selected.map(nameOf);

  function type(text: string) {
    setTyped(text);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => search?.onChange(text.trim()), 250);
  }

  function show(next: boolean) {
    setOpen(next);
    if (next || !search) return;
    clearTimeout(pause.current);
    setTyped("");
    search.onChange("");
  }

  function toggle(value: string) {
    if (!multiple) {
      onChange(selected.includes(value) ? [] : [value]);
      show(false);
      return;
    }
    onChange(selected.includes(value) ? selected.filter((each) => each !== value) : [...selected, value]);
  }

  return (
    <Popover open={open} onOpenChange={show}>
      <div
        className={cn(
          "inline-flex h-8 items-stretch rounded-md border",
          active ? "border-accent bg-accent-soft" : "border-dashed border-line-strong bg-surface",
        )}
      >
        <PopoverTrigger asChild>
          <button
            type="button"
            className={cn(
              "inline-flex items-center gap-1.5 rounded-md px-2.5 text-sm",
              active ? "pr-1 text-accent-text" : "text-ink-muted hover:text-ink",
            )}
          >
            {label}
            {active ? (
              <span className="max-w-40 truncate font-medium">
                {names.length > 2 ? `${names.length} chosen` : names.join(", ")}
              </span>
            ) : (
              <ChevronDown className="size-3.5 text-ink-faint" aria-hidden />
            )}
          </button>
        </PopoverTrigger>
        {active ? (
          <button
            type="button"
            aria-label={`Clear filter ${label}`}
            className="grid w-7 place-items-center rounded-r-md text-accent-text hover:text-ink"
            onClick={() => onChange([])}
          >
            <X className="size-3.5" aria-hidden />
          </button>
        ) : null}
      </div>
      <PopoverContent className="w-56 p-0" aria-label={label}>
        <Command
          label={label}
          shouldFilter={!search}
          // What the server finds comes after the key that asked for it: its first line is what Enter takes.
          {...(search ? { value: optionOr(lit, options), onValueChange: setLit } : {})}
        >
          {search || options.length > 8 ? (
            <Command.Input
              {...(search ? { value: typed, onValueChange: type } : {})}
              placeholder={search?.placeholder ?? `Find ${label.toLowerCase()}…`}
              className="h-9 w-full border-b border-line bg-transparent px-3 text-sm outline-none"
            />
          ) : (
            // cmdk moves focus through its input; keeping one, unseen, keeps the arrow keys working.
            <Command.Input className="sr-only" aria-label={label} autoFocus />
          )}
          <Command.List className="max-h-72 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-4 text-center text-sm text-ink-muted">
              {search?.pending ? "Searching…" : "Nothing found."}
            </Command.Empty>
            {options.map((option) => {
              const checked = selected.includes(option.value);
              return (
                <Command.Item
                  key={option.value}
                  value={search ? option.value : option.label}
                  onSelect={() => toggle(option.value)}
                  className="flex items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-[selected=true]:bg-hover"
                >
                  {option.mark}
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  {checked ? <Check className="size-3.5 text-accent-text" aria-label="chosen" /> : null}
                </Command.Item>
              );
            })}
          </Command.List>
          {multiple && active ? (
            <div className="border-t border-line p-1">
              <Button variant="ghost" size="sm" className="w-full" onClick={() => onChange([])}>
                Clear
              </Button>
            </div>
          ) : null}
        </Command>
      </PopoverContent>
    </Popover>
  );
}

/** A filter for one value; null: any. */
export function ChoiceFilter<Value extends string>({
  value,
  onChange,
  ...menu
}: Omit<ComponentProps<typeof FilterMenu>, "options" | "selected" | "onChange" | "multiple"> & {
  options: readonly FilterOption<Value>[];
  value: Value | null;
  onChange: (value: Value | null) => void;
}) {
  return (
    <FilterMenu
      {...menu}
      multiple={false}
      selected={value ? [value] : []}
      onChange={([chosen]) => onChange((chosen as Value | undefined) ?? null)}
    />
  );
}

const optionOr = (value: string, options: readonly FilterOption[]) =>
  options.some((option) => option.value === value) ? value : (options[0]?.value ?? "");
