import type { Metadata } from "next";
import { ConsoleDoor } from "../../../components/console/console-door.tsx";
import { ConsolePasswordForm } from "../../../components/console/password-form.tsx";

export const metadata: Metadata = { title: "Choose a password" };

export default function SetPasswordPage() {
  return (
    <ConsoleDoor title="Choose a password" description="For the operator console.">
      <ConsolePasswordForm />
    </ConsoleDoor>
  );
}
