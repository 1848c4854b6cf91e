import { DetailSkeleton } from "../../../../../components/layout/page-skeletons.tsx";

export default function Loading() {
  return <DetailSkeleton />;
}
