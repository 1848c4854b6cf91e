import type { Metadata } from "next";
import { WebhookPage } from "../../../../../components/webhooks/webhook-page.tsx";

export const metadata: Metadata = { title: "Webhook" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <WebhookPage key={id} id={id} />;
}
