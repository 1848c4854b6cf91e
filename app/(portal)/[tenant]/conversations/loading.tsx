import { InboxSkeleton } from "../../../../components/layout/page-skeletons.tsx";

export default function Loading() {
  return <InboxSkeleton />;
}
