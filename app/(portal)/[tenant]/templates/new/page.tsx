import type { Metadata } from "next";
import { NewTemplatePage } from "../../../../../components/templates/workspace/workspace-pages.tsx";

export const metadata: Metadata = { title: "New template" };

export default function Page() {
  return <NewTemplatePage />;
}
