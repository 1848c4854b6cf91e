import type { PreviewProblem } from "../../server/templates/schemas.ts";
import { locateFinding, type EditorFinding } from "./locate-finding.ts";
import type { MarkerData, Monaco, TextModel } from "./monaco-types.ts";

/** Underlines problems and findings of a model's text; hover says why. */
export function showMarkers(
  monaco: Monaco,
  model: TextModel,
  problems: readonly PreviewProblem[],
  findings: readonly EditorFinding[],
): void {
  const marks = [
    ...problems.map((problem) => problemMark(monaco, model, problem)),
    ...findings.flatMap((finding) => findingMark(monaco, model, finding)),
  ];
  monaco.editor.setModelMarkers(model, "tidings", marks);
}

function problemMark(monaco: Monaco, model: TextModel, problem: PreviewProblem): MarkerData {
  const lineNumber = Math.min(Math.max(problem.line ?? 1, 1), model.getLineCount());
  const column = Math.min(Math.max(problem.column ?? 1, 1), model.getLineMaxColumn(lineNumber));
  const word = model.getWordAtPosition({ lineNumber, column });
  const lineEnd = model.getLineMaxColumn(lineNumber);
  return {
    severity: monaco.MarkerSeverity.Error,
    message: problem.detail,
    source: "Template",
    startLineNumber: lineNumber,
    startColumn: problem.line === null ? 1 : column,
    endLineNumber: lineNumber,
    endColumn:
      problem.line === null ? lineEnd : Math.max(word?.endColumn ?? 0, Math.min(column + 1, lineEnd)),
  };
}

function findingMark(monaco: Monaco, model: TextModel, finding: EditorFinding): MarkerData[] {
  const place = locateFinding(finding, model.getValue());
  if (!place) return [];
  const start = model.getPositionAt(place.start);
  const end = model.getPositionAt(place.end);
  const { Error: refused, Warning: warned } = monaco.MarkerSeverity;
  return [
    {
      severity: finding.severity === "block" ? refused : warned,
      message:
        finding.suggestion === null
          ? finding.explanation
          : `${finding.explanation} Suggestion: ${finding.suggestion}`,
      source: finding.severity === "block" ? "Moderation: can't be saved" : "Moderation",
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
  ];
}
