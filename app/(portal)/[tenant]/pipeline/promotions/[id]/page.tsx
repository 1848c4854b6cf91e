import type { Metadata } from "next";
import { PromotionPage } from "../../../../../../components/pipelines/promotion-page.tsx";

export const metadata: Metadata = { title: "Promotion" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <PromotionPage key={id} id={id} />;
}
