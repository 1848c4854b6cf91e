import type { Metadata } from "next";
import { ConsentPolicyPage } from "../../../../../components/consent/consent-policy-page.tsx";

export const metadata: Metadata = { title: "Consent policy" };

export default function Page() {
  return <ConsentPolicyPage />;
}
