import type { Metadata } from "next";
import { ShortLinksPage } from "../../../../../components/settings/short-links-page.tsx";

export const metadata: Metadata = { title: "Short links" };

export default function Page() {
  return <ShortLinksPage />;
}
