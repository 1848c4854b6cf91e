import { Badge } from "../ui/badge.tsx";

/** Whether an organisation is in use, as a word with a colour. */
export function OrganisationState({
  organisation,
}: {
  organisation: { suspendedAt: Date | null; resuming: boolean; deletion: object | null };
}) {
  if (organisation.deletion) return <Badge tone="danger">Deletion scheduled</Badge>;
  if (organisation.suspendedAt) return <Badge tone="danger">Suspended</Badge>;
  if (organisation.resuming) return <Badge tone="warning">Resuming</Badge>;
  return <Badge tone="success">Active</Badge>;
}
