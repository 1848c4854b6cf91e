import type { Metadata } from "next";
import { EditTemplatePage } from "../../../../../../components/templates/workspace/workspace-pages.tsx";

export const metadata: Metadata = { title: "Edit template" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <EditTemplatePage key={id} id={id} />;
}
