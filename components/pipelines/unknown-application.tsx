import { Warning } from "../ui/warning.tsx";

/** Says that the address names an application that isn't there: nobody should promote what is of another one. */
export function UnknownApplication({ name, shown }: { name: string; shown: string }) {
  return (
    <Warning role="status" className="mb-4">
      Can't find the application “<bdi>{name}</bdi>”. It may be archived, or you don't have access to its
      team. <bdi>{shown}</bdi> is shown instead.
    </Warning>
  );
}
