import { Compass } from "lucide-react";
import type { Metadata } from "next";
import { Button } from "../components/ui/button.tsx";
import { NothingYet } from "../components/ui/empty-state.tsx";
import { Link } from "../components/ui/link.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <NothingYet
        page
        icon={Compass}
        title="Page not found"
        action={
          <Button asChild variant="primary">
            <Link href="/">Go to the portal</Link>
          </Button>
        }
      >
        It may have moved, or you don't have access to it.
      </NothingYet>
    </main>
  );
}
