"use client";

import { Check, ChevronDown } from "lucide-react";
import { Popover as Primitive } from "radix-ui";
import {
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import { cn } from "./cn.ts";
import type { FieldControl } from "./field.tsx";
import { FormField } from "./form-fields.tsx";
import { inputStyle } from "./input.tsx";
import { certainPlace, matchPlaces, placeOf, placesOf, shownPlace, type PlaceKind } from "./places.ts";
import type { Bound } from "./use-operation-form.ts";

/** A choice above all places, such as "Any region". */
type NoPlace = { value: string; label: string };

type Shown = { value: string; label: string; code?: string; hint?: ReactNode };

/**
 * A region or a language, searched for by name or code; a two-letter code can be typed that no name is known for. What is typed is
 * taken by Enter, Tab or a click, and when the field is left if it is a code or a whole name; anything else is dropped.
 */
export function PlaceInput({
  kind,
  value,
  onValueChange,
  none,
  preferred = [],
  without = [],
  hints,
  placeholder,
  className,
  disabled,
  ref,
  ...aria
}: Partial<FieldControl> & {
  kind: PlaceKind;
  /** A code, the value of `none`, or "": nothing chosen. */
  value: string;
  onValueChange: (value: string) => void;
  none?: NoPlace;
  /** Codes that stand first. */
  preferred?: readonly string[];
  /** Codes that are not offered. */
  without?: readonly string[];
  /** What is said beside codes. */
  hints?: Readonly<Record<string, ReactNode>>;
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  ref?: Ref<HTMLInputElement>;
  "aria-label"?: string;
}) {
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  /** What is being typed; null: the field shows what is chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);

  const isNone = value === none?.value;
  const chosen = isNone ? none.label : value === "" ? "" : shownPlace(placeOf(kind, value));
  const places = () => {
    const offered = placesOf(kind).filter(({ code }) => !without.includes(code));
    const first = preferred.filter((code) => !without.includes(code)).map((code) => placeOf(kind, code));
    return [...first, ...offered.filter(({ code }) => !preferred.includes(code))];
  };
  const options: Shown[] = !open
    ? []
    : [
        ...(none && (typed ?? "").trim() === "" ? [none] : []),
        ...matchPlaces(kind, typed ?? "", places())
          .filter(({ code }) => !without.includes(code))
          .map(({ code, name }) => ({ value: code, label: name, code, hint: hints?.[code] })),
      ];

  function show(at: number) {
    setActive(at);
    // Once the list stands there.
    requestAnimationFrame(() =>
      document.getElementById(`${listId}-${String(at)}`)?.scrollIntoView({ block: "nearest" }),
    );
  }
  function openList() {
    if (open || disabled) return;
    setOpen(true);
    const index = (none ? 1 : 0) + places().findIndex(({ code }) => code === value);
    show(isNone || value === "" ? 0 : Math.max(0, index));
  }
  function close() {
    setOpen(false);
    setTyped(null);
  }
  function take(option: Shown | undefined) {
    close();
    if (option && option.value !== value) onValueChange(option.value);
  }
  function leave() {
    if (typed === null) {
      close();
      return;
    }
    const place = certainPlace(kind, typed, places());
    if (typed.trim() === "" && none) take(none);
    else take(place && !without.includes(place.code) ? { value: place.code, label: place.name } : undefined);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (open) show(Math.min(Math.max(active + step, 0), options.length - 1));
      else openList();
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      take(options[active]);
    } else if (event.key === "Tab" && typed !== null && typed.trim() !== "") {
      take(options[active]);
    }
  }

  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && close()}>
      <Primitive.Anchor asChild>
        <div ref={box} className={cn("relative min-w-0", className)}>
          <input
            {...aria}
            ref={ref}
            role="combobox"
            aria-expanded={open}
            aria-controls={open ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={open && options.length > 0 ? `${listId}-${String(active)}` : undefined}
            disabled={disabled}
            value={typed ?? chosen}
            placeholder={placeholder ?? (kind === "region" ? "Choose a region" : "Choose a language")}
            className={cn(inputStyle, "h-8 pr-8 pl-2.5 text-base text-ellipsis sm:text-sm")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            onFocus={(event) => event.target.select()}
            onClick={openList}
            onChange={(event) => {
              setTyped(event.target.value);
              setOpen(true);
              show(0);
            }}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
          <ChevronDown
            className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-ink-faint"
            aria-hidden
          />
        </div>
      </Primitive.Anchor>
      <Primitive.Portal>
        <Primitive.Content
          id={listId}
          role="listbox"
          aria-label={kind === "region" ? "Regions" : "Languages"}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-60 max-h-[min(18rem,var(--radix-popover-content-available-height))] w-max max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-md outline-none"
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && box.current?.contains(event.target)) event.preventDefault();
          }}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
        >
          {options.map((option, index) => (
            <div
              key={option.value}
              id={`${listId}-${String(index)}`}
              role="option"
              aria-selected={option.value === value}
              aria-label={option.label}
              data-highlighted={index === active ? "" : undefined}
              onMouseMove={() => index !== active && setActive(index)}
              onClick={() => take(option)}
              className="relative flex items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-sm select-none data-highlighted:bg-hover"
            >
              {option.label}
              {option.code && option.code !== option.label ? (
                <span className="text-xs text-ink-faint">{option.code}</span>
              ) : null}
              {option.hint ? <span className="text-xs text-ink-faint">{option.hint}</span> : null}
              {option.value === value ? (
                <Check className="absolute right-2 size-3.5 text-accent-text" aria-hidden />
              ) : null}
            </div>
          ))}
          {options.length === 0 ? (
            <p role="status" className="px-2 py-1.5 text-sm text-ink-muted">
              No match. You can also type a two-letter code.
            </p>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A region or a language as a field of a form. */
export function PlaceField<V extends FieldValues, N extends FieldPath<V>, I>({
  control,
  name,
  label,
  hint,
  optional,
  className,
  ...props
}: Bound<V, N, I> & { label: ReactNode; hint?: ReactNode; optional?: boolean; className?: string } & Omit<
    ComponentProps<typeof PlaceInput>,
    "value" | "onValueChange" | "id" | "className" | "ref"
  >) {
  return (
    <FormField {...{ control, name, label, hint, optional, className }}>
      {(ids, field) => (
        <PlaceInput {...props} {...ids} ref={field.ref} value={field.value} onValueChange={field.onChange} />
      )}
    </FormField>
  );
}
