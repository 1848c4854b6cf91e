"use client";

import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { isolated } from "./isolated.ts";
import { useReturnFocus } from "./return-focus.ts";

/** Modal dialog with a title that says what it is about, an optional explanation, a body and a footer of actions. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  className,
  keepOpen = false,
}: {
  open: boolean;
  /** Without it, only the buttons of its footer or body close it: what it shows is not shown again. */
  onClose?: (() => void) | undefined;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  className?: string;
  /** A click beside it does not close it: something was typed that would be lost. */
  keepOpen?: boolean;
}) {
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose?.()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-overlay duration-150 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <Primitive.Content
          {...returnFocus}
          onPointerDownOutside={(event) => keepOpen && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 flex-col rounded-xl border border-line bg-raised shadow-lg duration-150 outline-none data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:slide-in-from-top-2",
            className,
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 break-words">
              <Primitive.Title className="text-lg font-semibold tracking-tight">
                {isolated(title)}
              </Primitive.Title>
              {description ? (
                <Primitive.Description className="mt-1 text-sm text-ink-muted">
                  {description}
                </Primitive.Description>
              ) : null}
            </div>
            {onClose ? (
              <Primitive.Close asChild>
                <Button variant="ghost" size="iconSm" aria-label="Close" className="-mr-1.5">
                  <X aria-hidden />
                </Button>
              </Primitive.Close>
            ) : null}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
          {footer ? (
            <footer className="flex items-center justify-end gap-2 rounded-b-xl border-t border-line bg-canvas px-5 py-3">
              {footer}
            </footer>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
