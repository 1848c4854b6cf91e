import type { Metadata } from "next";
import { GroupsPage } from "../../../../../components/contacts/groups-page.tsx";

export const metadata: Metadata = { title: "Groups" };

export default function Page() {
  return <GroupsPage />;
}
