import type { Metadata } from "next";
import { ChannelPage } from "../../../../../components/console/channel-page.tsx";

export const metadata: Metadata = { title: "Channel" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ChannelPage id={(await params).id} />;
}
