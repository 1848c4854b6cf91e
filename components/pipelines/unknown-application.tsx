import { TriangleAlert } from "lucide-react";

/** Says that the address names an application that isn't there: nobody should promote what is of another one. */
export function UnknownApplication({ name, shown }: { name: string; shown: string }) {
  return (
    <p
      role="status"
      className="mb-4 flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text"
    >
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="min-w-0 break-words">
        Can't find the application “{name}”. It may be archived, or you don't have access to its team. {shown}{" "}
        is shown instead.
      </span>
    </p>
  );
}
