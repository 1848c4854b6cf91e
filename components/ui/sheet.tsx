"use client";

import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { isolated } from "./isolated.ts";
import { useReturnFocus } from "./return-focus.ts";

/**
 * Side panel. It is not modal: the table behind stays readable and clickable, so that J and K can move
 * through rows while the panel follows. Below 640 px it covers the screen.
 */
export function Sheet({
  open,
  onClose,
  title,
  subtitle,
  actions,
  children,
  className,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <Primitive.Portal>
        <Primitive.Content
          {...returnFocus}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          className={cn(
            "fixed inset-y-0 right-0 z-40 flex w-full flex-col border-l border-line bg-surface shadow-lg outline-none sm:w-[34rem] sm:max-w-[92vw] data-[state=closed]:animate-out data-[state=closed]:slide-out-to-right data-[state=open]:animate-in data-[state=open]:duration-200 data-[state=open]:slide-in-from-right-16 data-[state=open]:fade-in-0",
            className,
          )}
        >
          <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Primitive.Title className="truncate text-lg font-semibold tracking-tight">
                {isolated(title)}
              </Primitive.Title>
              {subtitle ? <div className="mt-0.5 text-sm text-ink-muted">{subtitle}</div> : null}
            </div>
            <div className="flex items-center gap-1">
              {actions}
              <Primitive.Close asChild>
                <Button variant="ghost" size="iconSm" aria-label="Close panel">
                  <X aria-hidden />
                </Button>
              </Primitive.Close>
            </div>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
