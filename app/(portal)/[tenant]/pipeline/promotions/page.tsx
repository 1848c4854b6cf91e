import type { Metadata } from "next";
import { PromotionsPage } from "../../../../../components/pipelines/promotions-page.tsx";

export const metadata: Metadata = { title: "Promotions" };

export default function Page() {
  return <PromotionsPage />;
}
