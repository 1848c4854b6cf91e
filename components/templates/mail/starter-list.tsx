"use client";

import { mailStarters, type MailStarter } from "./starters.ts";

/** Mails to start from, as long as nothing is written. */
export function StarterList({ onChoose }: { onChoose: (starter: MailStarter) => void }) {
  return (
    <section aria-label="Starters" className="grid shrink-0 grid-cols-1 gap-2">
      <p className="text-xs text-ink-muted">Start from one of these, or write your own below.</p>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 2xl:grid-cols-4">
        {mailStarters.map((starter) => (
          <li key={starter.id} className="min-w-0">
            <button
              type="button"
              onClick={() => onChoose(starter)}
              className="h-full w-full rounded-md border border-line bg-surface px-3 py-2 text-left shadow-xs transition-colors hover:border-line-strong hover:bg-hover"
            >
              <span className="block text-sm font-medium">{starter.label}</span>
              <span className="mt-0.5 block text-xs text-ink-muted">{starter.says}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
