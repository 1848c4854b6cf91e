import type { Metadata } from "next";
import { ConsentPage } from "../../../../components/consent/consent-page.tsx";

export const metadata: Metadata = { title: "Consent" };

export default function Page() {
  return <ConsentPage />;
}
