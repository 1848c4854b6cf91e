import type { Metadata } from "next";
import { EditConnectionPage } from "../../../../../../components/providers/edit-connection-page.tsx";

export const metadata: Metadata = { title: "Edit connection" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <EditConnectionPage key={id} id={id} />;
}
