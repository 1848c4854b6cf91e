import type { Template } from "../../server/templates/schemas.ts";
import { Badge } from "../ui/badge.tsx";
import { Card, CardHeader } from "../ui/card.tsx";

/** What the texts of a template need from whoever sends. */
export function VariableTable({ variables }: { variables: Template["variables"] }) {
  return (
    <Card>
      <CardHeader
        title="Variables"
        description={variables.length === 0 ? "No variables. The text is always the same." : undefined}
      />
      {variables.length === 0 ? null : (
        <div
          className="overflow-x-auto border-t border-line"
          tabIndex={0}
          role="region"
          aria-label="Variables"
        >
          <table className="w-full text-sm">
            <thead>
              <tr className="bg-canvas text-left text-xs text-ink-muted">
                <th scope="col" className="h-8 px-4 font-medium">
                  Name
                </th>
                <th scope="col" className="px-3 font-medium">
                  Type
                </th>
                <th scope="col" className="px-3 font-medium">
                  Example
                </th>
                <th scope="col" className="px-4 text-right font-medium">
                  Longest
                </th>
              </tr>
            </thead>
            <tbody>
              {variables.map((variable) => (
                <tr key={variable.name} className="border-t border-line">
                  <td className="h-9 px-4 whitespace-nowrap">
                    <code className="font-mono text-xs">{variable.name}</code>{" "}
                    {variable.required ? null : <Badge>optional</Badge>}
                  </td>
                  <td className="px-3 text-ink-muted" title={variable.values?.join(", ")}>
                    {variable.type}
                    {variable.values ? ` of ${variable.values.length}` : ""}
                  </td>
                  <td className="max-w-60 truncate px-3 text-ink-muted">{variable.example ?? "–"}</td>
                  <td className="px-4 text-right text-ink-muted tabular">{variable.maxLength ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
