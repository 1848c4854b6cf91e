"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { toast } from "./toast.ts";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";

/** Copies `value`; `label` names it for screen readers ("Copy message ID"). */
export function CopyButton({
  value,
  label,
  className,
}: {
  value: string;
  label: string;
  className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      toast.error("The browser didn't allow copying. Select the text and copy it manually.");
    }
  }

  return (
    <Button
      variant="ghost"
      size="iconSm"
      aria-label={copied ? "Copied" : label}
      title={copied ? "Copied" : label}
      className={cn("size-6 [&_svg]:size-3.5", className)}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {copied ? <Check className="text-success-text" aria-hidden /> : <Copy aria-hidden />}
    </Button>
  );
}

/** An identifier in mono type, cut short in the middle if asked, with its copy button. */
export function CopyableId({ value, label, short }: { value: string; label: string; short?: boolean }) {
  const shown = short && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="truncate font-mono text-xs" title={value}>
        {shown}
      </code>
      <CopyButton value={value} label={label} />
    </span>
  );
}
