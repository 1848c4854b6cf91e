import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { PromotionPage } from "../../../../../../components/pipelines/promotion-page.tsx";

export const metadata: Metadata = { title: "Promotion" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!z.uuid().safeParse(id).success) notFound();
  return <PromotionPage key={id} id={id} />;
}
