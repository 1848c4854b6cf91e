import type { Metadata } from "next";
import { PipelinePage } from "../../../../components/pipelines/pipeline-page.tsx";

export const metadata: Metadata = { title: "Pipeline" };

export default function Page() {
  return <PipelinePage />;
}
