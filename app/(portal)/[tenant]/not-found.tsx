import { Compass } from "lucide-react";
import { Button } from "../../../components/ui/button.tsx";
import { NothingYet } from "../../../components/ui/empty-state.tsx";
import { Link } from "../../../components/ui/link.tsx";

export default function PageNotFound() {
  return (
    <>
      <title>Page not found · Tidings</title>
      <NothingYet
        page
        icon={Compass}
        title="Page not found"
        className="py-32"
        action={
          <Button asChild>
            <Link href="/">Go to Overview</Link>
          </Button>
        }
      >
        It may have been deleted, or you don't have access to its team or environment.
      </NothingYet>
    </>
  );
}
