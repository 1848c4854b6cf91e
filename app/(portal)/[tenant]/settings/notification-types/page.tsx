import type { Metadata } from "next";
import { NotificationTypesPage } from "../../../../../components/settings/notification-types-page.tsx";

export const metadata: Metadata = { title: "Notification types" };

export default function Page() {
  return <NotificationTypesPage />;
}
