import type { Metadata } from "next";
import { GroupPage } from "../../../../../../components/contacts/group-page.tsx";

export const metadata: Metadata = { title: "Group" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <GroupPage id={id} />;
}
