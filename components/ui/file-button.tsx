"use client";

import { useRef, type ComponentProps } from "react";
import { Button } from "./button.tsx";

/** A button that asks for a file, or for a folder of them. The same may be chosen again. */
export function FileButton({
  label,
  accept,
  folder = false,
  onChoose,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick" | "asChild"> & {
  /** What is asked for, such as "CSV file". */
  label: string;
  accept?: string;
  folder?: boolean;
  onChoose: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        aria-label={label}
        accept={accept}
        multiple={folder}
        // Not in React's types, but in every browser.
        {...(folder ? { webkitdirectory: "" } : {})}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
