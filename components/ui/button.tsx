"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-100 select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-accent-ink shadow-xs hover:bg-accent-hover",
        secondary: "border border-line-strong bg-surface text-ink shadow-xs hover:bg-hover",
        ghost: "text-ink-muted hover:bg-hover hover:text-ink",
        danger: "bg-danger text-danger-ink shadow-xs hover:bg-danger-hover",
        quietDanger: "border border-line-strong bg-surface text-danger-text shadow-xs hover:bg-danger-soft",
        link: "text-accent-text underline-offset-4 hover:underline",
      },
      size: {
        sm: "h-7 px-2.5 text-xs",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-base",
        icon: "size-8",
        iconSm: "size-7",
      },
    },
    // A link stands in a text: it has no box of its own.
    compoundVariants: [{ variant: "link", className: "h-auto px-0" }],
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonStyle> & {
    /** Style the only child (a link, say) as a button. */
    asChild?: boolean;
    /**
     * Shows a spinner and blocks clicks, also the one that Enter in a field makes. The label stays, so the width does not jump, and so
     * does the focus, which a disabled button would lose.
     */
    pending?: boolean;
  };

export function Button({
  className,
  variant,
  size,
  asChild,
  pending,
  disabled,
  onClick,
  children,
  ...props
}: ButtonProps) {
  const style = cn(buttonStyle({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={style} onClick={onClick} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={style}
      disabled={disabled && !pending}
      aria-disabled={pending}
      aria-busy={pending}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {pending ? <LoaderCircle className="animate-spin" aria-hidden /> : null}
      {children}
    </button>
  );
}
