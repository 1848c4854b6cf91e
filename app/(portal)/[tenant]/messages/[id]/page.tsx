import type { Metadata } from "next";
import { MessagePage } from "../../../../../components/messages/message-page.tsx";

export const metadata: Metadata = { title: "Message" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <MessagePage key={id} id={id} />;
}
