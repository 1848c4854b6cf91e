import { Lightbulb, ShieldAlert, ShieldCheck, ShieldQuestion } from "lucide-react";
import type { Template } from "../../server/templates/schemas.ts";
import { findingCategories } from "../editor/finding-categories.ts";
import { Badge } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { plural } from "../ui/format.ts";
import { partName } from "./workspace/draft-pointer.ts";

type Finding = Template["moderation"]["findings"][number];

/** What moderation said of the version that is shown, when it was saved. */
export function ModerationCard({ template }: { template: Template }) {
  // Versions from before a check existed carry no result of it.
  const stored: Partial<Template["moderation"]> = template.moderation;
  const findings = stored.findings ?? [];
  const checkedBy = stored.checkedBy ?? [];
  const byAi = checkedBy.some((name) => name !== "deterministic");
  const Icon = checkedBy.length === 0 ? ShieldQuestion : findings.length > 0 ? ShieldAlert : ShieldCheck;
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            <Icon className="size-4 text-ink-faint" aria-hidden /> Moderation
          </span>
        }
        description={
          checkedBy.length === 0
            ? "This version was not checked."
            : byAi
              ? `Checked by rules and by AI: ${checkedBy.filter((name) => name !== "deterministic").join(", ")}`
              : "Checked by built-in rules only."
        }
      />
      {findings.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-muted">{checkedBy.length === 0 ? null : "No findings."}</p>
      ) : (
        <ul
          className="divide-y divide-line border-t border-line"
          aria-label={plural(findings.length, "finding")}
        >
          {findings.map((finding, index) => (
            <FindingLine key={index} finding={finding} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  return (
    <li className="grid gap-1.5 px-4 py-3 text-sm">
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge tone={finding.severity === "block" ? "danger" : "warning"}>
          {finding.severity === "block" ? "Blocks" : "Warns"}
        </Badge>
        <span className="text-xs text-ink-muted">
          {findingCategories[finding.category]}, in the {partName(finding.pointer).toLowerCase()}
        </span>
      </span>
      {finding.excerpt ? (
        <q className="font-mono text-xs break-words text-ink-muted">{finding.excerpt}</q>
      ) : null}
      <p>{finding.explanation}</p>
      {finding.suggestion === null ? null : (
        <p className="flex items-start gap-1.5 text-ink-muted">
          <Lightbulb className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span>
            Instead: <span className="text-ink">{finding.suggestion || "leave it out"}</span>
          </span>
        </p>
      )}
    </li>
  );
}
