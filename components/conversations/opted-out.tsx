import { UserRoundX } from "lucide-react";
import { Badge } from "../ui/badge.tsx";
import { Link } from "../ui/link.tsx";

/** The recipient wants no messages on this channel. `href`: where it says why. */
export function OptedOut({ href }: { href?: string | null }) {
  const mark = (
    <Badge tone="warning" title="The recipient has opted out of marketing, or of everything, on this channel">
      <UserRoundX aria-hidden /> Opted out
    </Badge>
  );
  return href ? (
    <Link href={href} className="rounded-sm underline-offset-4 hover:underline">
      {mark}
    </Link>
  ) : (
    mark
  );
}
