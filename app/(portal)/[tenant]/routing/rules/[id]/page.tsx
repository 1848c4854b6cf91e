import type { Metadata } from "next";
import { RulePage } from "../../../../../../components/routing/rule-page.tsx";

export const metadata: Metadata = { title: "Routing rule" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <RulePage id={id} />;
}
