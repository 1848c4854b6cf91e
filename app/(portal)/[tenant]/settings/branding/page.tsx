import type { Metadata } from "next";
import { BrandingPage } from "../../../../../components/settings/branding-page.tsx";

export const metadata: Metadata = { title: "Branding" };

export default function Page() {
  return <BrandingPage />;
}
