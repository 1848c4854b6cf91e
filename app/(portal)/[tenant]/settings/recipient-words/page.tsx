import type { Metadata } from "next";
import { RecipientWordsPage } from "../../../../../components/settings/recipient-words-page.tsx";

export const metadata: Metadata = { title: "Keywords and replies" };

export default function Page() {
  return <RecipientWordsPage />;
}
