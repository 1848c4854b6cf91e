import type { Template } from "../../server/templates/schemas.ts";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { humanize } from "../ui/format.ts";
import { RelativeTime } from "../ui/time.tsx";

/** The texts of one version, and what it says about its channel. */
export function TemplateContent({ template }: { template: Template }) {
  const version = template.versions.find((each) => each.version === template.version);
  const metadata = Object.entries(template.metadata);
  // Texts of their own are shown as such, the rest as facts.
  const isText = (value: unknown) => typeof value === "string" && (value.includes("\n") || value.length > 80);
  const texts = metadata.filter(([, value]) => isText(value));
  const facts = metadata.filter(([, value]) => !isText(value));
  return (
    <Card>
      <CardHeader
        title={
          template.version === template.latestVersion
            ? `Version ${template.version}, the latest`
            : `Version ${template.version} of ${template.latestVersion}`
        }
        description={
          <>
            {version ? (
              <>
                By {version.author}, <RelativeTime value={version.createdAt} />
              </>
            ) : null}
            {template.note ? `: ${template.note}` : ""}
          </>
        }
      />
      <div className="grid grid-cols-1 gap-3 px-4 pb-4">
        {template.subject === null ? null : <Text label="Subject" code={template.subject} wrap />}
        <Text
          label={template.metadata.format === "mjml" ? "Body, in MJML" : "Body"}
          code={template.body}
          wrap={template.channel !== "email"}
        />
        {texts.map(([name, value]) => (
          <Text key={name} label={labelOf(name)} code={String(value)} wrap />
        ))}
        {facts.length > 0 ? (
          <Facts items={facts.map(([name, value]) => ({ label: labelOf(name), value: wordsOf(value) }))} />
        ) : null}
      </div>
    </Card>
  );
}

function Text({ label, code, wrap }: { label: string; code: string; wrap?: boolean }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-xs text-ink-muted">{label}</h3>
      <CodeBlock label={label} code={code} wrap={wrap} />
    </div>
  );
}

const labels: Record<string, string> = {
  text: "Plain-text part",
  from: "From",
  replyTo: "Reply to",
  senderId: "Sender",
};

/** "fromName" → "From name". */
const labelOf = (name: string) =>
  labels[name] ?? humanize(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join("; ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `${labelOf(name)}: ${wordsOf(each)}`)
      .join(", ");
  }
  return String(value);
}
