import { UserRoundX } from "lucide-react";
import { Badge } from "../ui/badge.tsx";

/** The recipient wants no messages on this channel. */
export function OptedOut() {
  return (
    <Badge tone="warning" title="The recipient has opted out of messages on this channel">
      <UserRoundX aria-hidden /> Opted out
    </Badge>
  );
}
