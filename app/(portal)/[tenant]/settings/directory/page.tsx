import type { Metadata } from "next";
import { DirectoryPage } from "../../../../../components/directory/directory-page.tsx";

export const metadata: Metadata = { title: "Directory" };

export default function Page() {
  return <DirectoryPage />;
}
