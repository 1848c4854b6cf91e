import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { PageFrame } from "./page-frame.tsx";

function HeaderSkeleton({ back }: { back?: boolean }) {
  return (
    <div className="mb-5">
      {back ? <Skeleton className="mb-2 w-20" /> : null}
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 w-72 max-w-full" />
    </div>
  );
}

/** A list page on its way: title, filters when it has them, rows. */
export function ListSkeleton({
  wide,
  filters,
  rows = 10,
}: {
  wide?: boolean;
  filters?: boolean;
  rows?: number;
}) {
  return (
    <PageFrame wide={wide} aria-busy>
      <HeaderSkeleton />
      {filters ? (
        <div className="mb-3 flex flex-wrap gap-2">
          <Skeleton className="h-8 w-72 max-w-full" />
          <Skeleton className="h-8 w-20" />
          <Skeleton className="h-8 w-24" />
          <Skeleton className="h-8 w-36" />
        </div>
      ) : null}
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <div className="h-8 border-b border-line bg-canvas" />
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex h-9 items-center gap-8 border-b border-line px-4 last:border-0">
            <Skeleton className="w-20" />
            <Skeleton className="w-44" />
            <Skeleton className="hidden w-28 sm:block" />
            <Skeleton className="ml-auto w-14" />
          </div>
        ))}
      </div>
    </PageFrame>
  );
}

/** The Overview on its way: figures, two rows of charts. */
export function OverviewSkeleton() {
  return (
    <PageFrame aria-busy>
      <HeaderSkeleton />
      <Card className="mb-4 grid h-39 grid-cols-2 gap-6 px-4 py-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((index) => (
          <div key={index}>
            <Skeleton className="h-3 w-24" />
            <Skeleton className="mt-3 h-6 w-20" />
          </div>
        ))}
      </Card>
      <div className="grid gap-4 lg:grid-cols-3">
        {[0, 1].map((index) => (
          <div key={index} className="contents">
            <Card className="h-88 p-4 lg:col-span-2">
              <Skeleton className="w-28" />
            </Card>
            <Card className="h-88 p-4">
              <Skeleton className="w-28" />
            </Card>
          </div>
        ))}
      </div>
    </PageFrame>
  );
}

/** Health on its way: a line for each connection, charts. */
export function HealthSkeleton() {
  return (
    <PageFrame aria-busy>
      <HeaderSkeleton />
      <Card className="mb-4">
        <div className="px-4 pt-3.5 pb-3">
          <Skeleton className="w-16" />
          <Skeleton className="mt-2 h-3 w-56" />
        </div>
        {[0, 1, 2].map((index) => (
          <div key={index} className="flex h-14 items-center justify-between border-t border-line px-4">
            <Skeleton className="w-40" />
            <Skeleton className="h-5 w-20" />
          </div>
        ))}
      </Card>
      <div className="grid gap-4 lg:grid-cols-3">
        <Card className="h-88 p-4 lg:col-span-2">
          <Skeleton className="w-28" />
        </Card>
        <Card className="h-88 p-4">
          <Skeleton className="w-28" />
        </Card>
      </div>
    </PageFrame>
  );
}

/** Deliverability on its way: a card for each mailbox provider, a line for each sender's domain. */
export function DeliverabilitySkeleton() {
  return (
    <PageFrame aria-busy>
      <HeaderSkeleton />
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        {[0, 1, 2, 3].map((index) => (
          <Card key={index} className="h-44 p-4">
            <Skeleton className="w-24" />
            <Skeleton className="mt-4 w-full" />
            <Skeleton className="mt-6 w-full" />
          </Card>
        ))}
      </div>
      <Card className="h-56 p-4">
        <Skeleton className="w-40" />
      </Card>
    </PageFrame>
  );
}

/** One thing on a page of its own: a main column and a narrow one. */
export function DetailSkeleton() {
  return (
    <PageFrame aria-busy>
      <HeaderSkeleton back />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Card className="grid content-start gap-4 p-4">
          <Skeleton className="w-24" />
          <Skeleton className="w-3/4" />
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-3/5" />
        </Card>
        <Card className="grid content-start gap-4 p-4">
          <Skeleton className="w-24" />
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </Card>
      </div>
    </PageFrame>
  );
}

/** An inbox: a list beside what is read. */
export function InboxSkeleton() {
  return (
    <PageFrame wide aria-busy>
      <HeaderSkeleton />
      <div className="grid min-h-[32rem] overflow-hidden rounded-lg border border-line bg-surface lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="border-line lg:border-r">
          {Array.from({ length: 7 }, (_, index) => (
            <div key={index} className="grid gap-2 border-b border-line px-4 py-3.5">
              <Skeleton className="w-3/5" />
              <Skeleton className="w-2/5" />
            </div>
          ))}
        </div>
        <div className="hidden bg-canvas lg:block" />
      </div>
    </PageFrame>
  );
}
