import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import type { JudgedAnswer as Judged } from "../../server/connections/schemas.ts";
import { Facts } from "../ui/card.tsx";

const verdicts = {
  sent: { title: "With this answer a message counts as sent.", icon: CircleCheck },
  not_sent: {
    title: "With this answer a message counts as not sent.",
    icon: CircleAlert,
  },
  unknown: { title: "With this answer it is unknown whether the message was sent.", icon: CircleHelp },
} as const;

/** How the entered answer of a provider would be judged. */
export function JudgedAnswer({ judged }: { judged: Judged }) {
  const { title, icon: Icon } = verdicts[judged.outcome];
  const facts = [
    judged.outcome === "sent" ? { label: "Message ID", value: judged.providerMessageId ?? "None" } : null,
    judged.detail === null ? null : { label: "Why", value: judged.detail },
    judged.providerCode === null ? null : { label: "Provider code", value: judged.providerCode },
    judged.providerMessage === null ? null : { label: "Provider message", value: judged.providerMessage },
  ];
  return (
    <div role="status" className="grid gap-3 rounded-md border border-line px-3 py-2.5 text-sm">
      <p className="flex gap-2 font-medium">
        <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
        {title}
      </p>
      <Facts items={facts} />
      <Warnings warnings={judged.warnings} />
    </div>
  );
}

/** What works and is likely not meant. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="grid gap-1.5 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      {warnings.map((warning) => (
        <li key={warning} className="min-w-0 break-words">
          {warning}
        </li>
      ))}
    </ul>
  );
}
