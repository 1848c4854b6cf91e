import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** A page of Settings on its way: its title, and a few rows. */
export function SettingsSkeleton() {
  return (
    <div aria-busy>
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 mb-5 w-72 max-w-full" />
      <Card className="divide-y divide-line">
        {[0, 1, 2].map((index) => (
          <div key={index} className="grid gap-2 px-4 py-3.5">
            <Skeleton className="w-40" />
            <Skeleton className="w-64 max-w-full" />
          </div>
        ))}
      </Card>
    </div>
  );
}
