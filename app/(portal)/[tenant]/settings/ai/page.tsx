import type { Metadata } from "next";
import { AiPage } from "../../../../../components/settings/ai-page.tsx";

export const metadata: Metadata = { title: "AI and moderation" };

export default function Page() {
  return <AiPage />;
}
