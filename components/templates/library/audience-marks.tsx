import { Badge } from "../../ui/badge.tsx";

/** Region, language and provider of a text as small marks; none of them: it is for everyone. */
export function AudienceMarks({
  audience,
}: {
  audience: { region: string | null; language: string | null; provider: string | null };
}) {
  const { region, language, provider } = audience;
  if (!region && !language && !provider) return <span className="text-ink-muted">everyone</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {region ? (
        <Badge tone="outline" title="Region">
          <span className="sr-only">Region </span>
          {region}
        </Badge>
      ) : null}
      {language ? (
        <Badge tone="outline" title="Language">
          <span className="sr-only">Language </span>
          {language}
        </Badge>
      ) : null}
      {provider ? (
        <Badge tone="outline" title="Only through this provider">
          <span className="sr-only">Through </span>
          {provider}
        </Badge>
      ) : null}
    </span>
  );
}
