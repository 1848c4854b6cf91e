"use client";

import { useState } from "react";
import type { GateResult, PromotionItem } from "../../server/pipelines/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { gateTitles } from "./gates.ts";
import { GateStateBadge } from "./promotion-state.tsx";
import { TemplateLabel } from "./template-label.tsx";

/** Each gate with its state, what is missing, and the templates that it waits for. */
export function GateList({
  gates,
  items,
  className,
}: {
  gates: readonly GateResult[];
  items: readonly PromotionItem[];
  className?: string;
}) {
  return (
    <ul className={cn("divide-y divide-line rounded-md border border-line", className)}>
      {gates.map((gate) => (
        <li key={gate.gate} className="px-3 py-2.5">
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm font-medium">{gateTitles[gate.gate]}</span>
            <GateStateBadge state={gate.state} />
          </div>
          <p className="mt-0.5 text-sm text-ink-muted">{gate.detail}</p>
          {gate.state === "passed" ? null : <GateTemplates ids={gate.templates} items={items} />}
        </li>
      ))}
    </ul>
  );
}

const firstShown = 5;

function GateTemplates({ ids, items }: { ids: readonly string[]; items: readonly PromotionItem[] }) {
  const { href } = usePortal();
  const [all, setAll] = useState(false);
  const named = ids.flatMap((id) => items.find((item) => item.templateId === id) ?? []);
  if (named.length === 0) return null;
  const shown = all ? named : named.slice(0, firstShown);
  return (
    <ul className="mt-1.5 grid gap-1 text-sm">
      {shown.map((item) => (
        <li key={item.templateId} className="min-w-0">
          <Link
            href={href(`/templates/${item.templateId}`, { version: String(item.version) })}
            className="flex min-w-0 rounded-sm hover:underline"
          >
            <TemplateLabel template={item} />
          </Link>
        </li>
      ))}
      {named.length > shown.length ? (
        <li>
          <Button variant="link" size="sm" onClick={() => setAll(true)}>
            Show {plural(named.length - shown.length, "more", "more")}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}
