import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PromotionPage } from "../../../../../../components/pipelines/promotion-page.tsx";
import { isUuid } from "../../../../../../server/kernel/ids.ts";

export const metadata: Metadata = { title: "Promotion" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!isUuid(id)) notFound();
  return <PromotionPage key={id} id={id} />;
}
