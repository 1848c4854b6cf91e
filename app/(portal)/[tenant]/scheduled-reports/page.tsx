import type { Metadata } from "next";
import { ScheduledReportsPage } from "../../../../components/reports-by-mail/scheduled-reports-page.tsx";

export const metadata: Metadata = { title: "Scheduled reports" };

export default function Page() {
  return <ScheduledReportsPage />;
}
