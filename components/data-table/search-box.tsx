"use client";

import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { cn } from "../ui/cn.ts";
import { inputStyle } from "../ui/input.tsx";

/** Free text search. `/` focuses it; it asks the server when the reader pauses or presses Enter. */
export function SearchBox({
  value,
  onChange,
  placeholder,
  label,
  maxLength = 200,
  className,
}: {
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  label: string;
  /** No more is searched for; the service would refuse it. */
  maxLength?: number;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  // The URL may change from elsewhere (back button, "clear filters"); typing must not be overwritten by its own echo.
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(pending.current), []);
  useShortcut("/", () => input.current?.focus(), { label: "Search this list" });

  function submit(next: string) {
    clearTimeout(pending.current);
    setSeen(next.trim());
    onChange(next.trim());
  }

  return (
    <div className={cn("relative", className)}>
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-faint" aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        value={text}
        placeholder={placeholder}
        maxLength={maxLength}
        className={cn(
          inputStyle,
          "h-8 pr-8 pl-8 text-base sm:text-sm [&::-webkit-search-cancel-button]:hidden",
        )}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          clearTimeout(pending.current);
          pending.current = setTimeout(() => submit(next), 350);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            // Nor is a form around it sent.
            event.preventDefault();
            submit(text);
          }
          if (event.key === "Escape") {
            event.stopPropagation();
            if (text === "") input.current?.blur();
            setText("");
            submit("");
          }
        }}
      />
      {text === "" ? null : (
        <button
          type="button"
          aria-label="Clear search"
          className="absolute top-1.5 right-1.5 grid size-5 place-items-center rounded-sm text-ink-faint hover:text-ink"
          onClick={() => {
            setText("");
            submit("");
            input.current?.focus();
          }}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
