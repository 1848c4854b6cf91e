"use client";

import { AlertDialog as Primitive } from "radix-ui";
import { useId, useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Input } from "./input.tsx";
import { Form } from "./form.tsx";
import { isolated } from "./isolated.ts";
import { useReturnFocus } from "./return-focus.ts";
import { sameName } from "./same-name.ts";

/**
 * Asks before something that cannot be undone, naming the thing.
 * With `typeToConfirm` the reader has to write that name first.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirmLabel,
  typeToConfirm,
  pending,
  danger = true,
  cancelLabel = danger ? "Keep it" : "Cancel",
  onConfirm,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  typeToConfirm?: string;
  pending?: boolean;
  danger?: boolean;
  cancelLabel?: string;
  onConfirm: () => void;
}) {
  const [typed, setTyped] = useState("");
  const [wasOpen, setWasOpen] = useState(open);
  // Typed for one thing: the next one asks anew, also one of the same name.
  if (open !== wasOpen) {
    setWasOpen(open);
    setTyped("");
  }
  const returnFocus = useReturnFocus(open);
  const inputId = useId();
  const input = useRef<HTMLInputElement>(null);
  const ready = typeToConfirm === undefined || sameName(typed, typeToConfirm);

  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-overlay data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <Primitive.Content
          {...returnFocus}
          onOpenAutoFocus={(event) => {
            // The name is to be typed, so the cursor waits there; otherwise the harmless button has the focus.
            if (!input.current) return;
            event.preventDefault();
            input.current.focus();
          }}
          className="fixed top-[18vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 rounded-xl border border-line bg-raised shadow-lg outline-none data-[state=open]:animate-in data-[state=open]:fade-in-0"
        >
          <Form
            onSubmit={() => {
              if (ready) onConfirm();
            }}
          >
            <div className="px-5 pt-4 pb-5 break-words">
              <Primitive.Title className="text-lg font-semibold tracking-tight">
                {isolated(title)}
              </Primitive.Title>
              <Primitive.Description asChild>
                <div className="mt-1.5 text-sm text-ink-muted">{children}</div>
              </Primitive.Description>
              {typeToConfirm === undefined ? null : (
                <div className="mt-4">
                  <label htmlFor={inputId} className="text-sm">
                    Type <bdi className="font-semibold break-all">{typeToConfirm}</bdi> to confirm
                  </label>
                  <Input
                    id={inputId}
                    ref={input}
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                    autoComplete="off"
                    className="mt-1.5"
                  />
                </div>
              )}
            </div>
            <footer className="flex justify-end gap-2 rounded-b-xl border-t border-line bg-canvas px-5 py-3">
              <Primitive.Cancel asChild>
                <Button>{cancelLabel}</Button>
              </Primitive.Cancel>
              <Button
                type="submit"
                variant={danger ? "danger" : "primary"}
                disabled={!ready}
                pending={pending}
              >
                {confirmLabel}
              </Button>
            </footer>
          </Form>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
