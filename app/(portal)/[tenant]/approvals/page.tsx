import type { Metadata } from "next";
import { ApprovalsPage } from "../../../../components/approvals/approvals-page.tsx";

export const metadata: Metadata = { title: "Approvals" };

export default function Page() {
  return <ApprovalsPage />;
}
