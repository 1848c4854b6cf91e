import type { Metadata } from "next";
import { TemplateGroupPage } from "../../../../../../../components/templates/library/group-page.tsx";

export const metadata: Metadata = { title: "Templates" };

export default async function Page({ params }: { params: Promise<{ application: string; name: string }> }) {
  const { application, name } = await params;
  return <TemplateGroupPage application={decodeURIComponent(application)} name={decodeURIComponent(name)} />;
}
