import type { Complaint } from "./save-problems.tsx";
import type { useComplaints } from "./use-complaints.ts";
import { isTextPart } from "./use-text-editor.ts";

/** Which panel shows the field that a pointer names. */
export function panelOf(pointer: string): string {
  if (isTextPart(pointer) || ["/subject", "/note", "/metadata/preheader"].includes(pointer)) return "text";
  if (pointer.startsWith("/metadata")) return "details";
  return pointer.startsWith("/variables") ? "variables" : "audience";
}

/** Once the panel is drawn. */
export function focusWrongField(panel: string): void {
  requestAnimationFrame(() => {
    const within = document.querySelector(`[data-panel="${panel}"]`) ?? document.querySelector("main");
    within?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  });
}

/** Everything that stands against a draft as one list: problems in texts first, each with its place. */
export function listComplaints({
  fields,
  problems,
}: Pick<ReturnType<typeof useComplaints>, "fields" | "problems">): Complaint[] {
  const placed = new Set(problems.map((problem) => problem.pointer));
  const others = Object.entries(fields)
    .filter(([pointer]) => !placed.has(pointer))
    .map(([pointer, detail]) => ({ pointer, code: "", detail, line: null, column: null }));
  return [...problems, ...others];
}
