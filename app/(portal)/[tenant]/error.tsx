"use client";

import { PageFrame } from "../../../components/layout/page-frame.tsx";
import { LoadFailed } from "../../../components/ui/empty-state.tsx";

export default function PageError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <PageFrame>
      <LoadFailed
        what="this page"
        detail="Messages are not affected. Try again. If it keeps happening, tell your operator when it happened."
        onRetry={retry}
        className="py-24"
      />
    </PageFrame>
  );
}
