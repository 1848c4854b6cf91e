import type { Metadata } from "next";
import { TemplatePage } from "../../../../../components/templates/template-page.tsx";

export const metadata: Metadata = { title: "Template" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TemplatePage key={id} id={id} />;
}
