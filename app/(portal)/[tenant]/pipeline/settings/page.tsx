import type { Metadata } from "next";
import { PipelineSettingsPage } from "../../../../../components/pipelines/pipeline-settings-page.tsx";

export const metadata: Metadata = { title: "Stages and gates" };

export default function Page() {
  return <PipelineSettingsPage />;
}
