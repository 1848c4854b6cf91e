import type { Metadata } from "next";
import { RulePage } from "../../../../../../components/routing/rule-page.tsx";

export const metadata: Metadata = { title: "New routing rule" };

export default function Page() {
  return <RulePage id={null} />;
}
