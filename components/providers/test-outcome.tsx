import { CircleAlert, CircleCheck } from "lucide-react";
import type { ProviderTestResult } from "../../server/connections/schemas.ts";
import { Facts } from "../ui/card.tsx";
import { Warnings } from "./judged-answer.tsx";

/** What a test of a connection found. */
export function TestOutcome({ result, provider }: { result: ProviderTestResult; provider: string }) {
  if (!result.ok) {
    return (
      <div
        role="status"
        className="flex gap-2 rounded-md bg-danger-soft px-3 py-2.5 text-sm text-danger-text"
      >
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        <p className="min-w-0 break-words">{result.problem}</p>
      </div>
    );
  }
  return (
    <div
      role="status"
      className="grid gap-3 rounded-md bg-success-soft px-3 py-2.5 text-sm text-success-text"
    >
      <p className="flex gap-2">
        <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
        {provider === "http"
          ? "The address responds. Nothing was sent, so the credentials were not tested."
          : "Address and credentials are accepted. No message was sent."}
      </p>
      <Warnings warnings={result.warnings} />
      {result.facts.length > 0 ? <Facts items={result.facts} className="text-ink" /> : null}
    </div>
  );
}
