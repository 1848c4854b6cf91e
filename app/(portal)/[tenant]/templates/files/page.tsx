import type { Metadata } from "next";
import { TemplateFilesPage } from "../../../../../components/template-files/template-files-page.tsx";

export const metadata: Metadata = { title: "Templates as files" };

export default function Page() {
  return <TemplateFilesPage />;
}
