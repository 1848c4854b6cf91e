"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { createInvitationSchema } from "../../server/access/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { AssignmentsField, type AssignmentChoice } from "./assignments-field.tsx";
import { InvitationSent, type SentInvitation } from "./invitation-sent.tsx";
import { unitOf, useGrantable } from "./use-grantable.ts";

/** Invites somebody by e-mail with one role or several, and says how the link got away. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("members", "roles");
  const { places } = useGrantable();
  const [sent, setSent] = useState<{ email: string; invitation: SentInvitation } | null>(null);
  const invite = useMutation(trpc.members.invite.mutationOptions());
  const form = useOperationForm({
    schema: createInvitationSchema,
    defaultValues: {
      email: "",
      name: "",
      assignments: [{ role: "", place: places[0]?.value ?? "" }] as AssignmentChoice[],
    },
    input: ({ email, name, assignments }) => ({
      email: email.trim(),
      name: name.trim(),
      assignments: assignments
        .filter(({ role }) => role !== "")
        .map(({ role, place }) => ({ role, unitId: unitOf(place) })),
    }),
    send: async (input) => {
      const invitation = await invite.mutateAsync(input);
      setSent({ email: input.email, invitation });
      await refresh();
    },
  });

  return (
    <FormDialog
      form={form}
      title={sent ? "Invitation created" : "Invite member"}
      {...(sent ? {} : { description: "They get a link that works once, for seven days." })}
      submitLabel="Invite"
      result={
        sent
          ? {
              body: <InvitationSent email={sent.email} sent={sent.invitation} />,
              footer: (
                <Button variant="primary" onClick={onClose}>
                  Done
                </Button>
              ),
            }
          : null
      }
      onClose={onClose}
    >
      <TextField
        {...form.field("email")}
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="off"
        maxLength={254}
        required
        autoFocus
      />
      <TextField
        {...form.field("name")}
        label="Name"
        hint="They can change it when they accept."
        autoComplete="off"
        maxLength={120}
        required
      />
      <FormField {...form.field("assignments")} label="Roles and scope">
        {(_ids, field) => <AssignmentsField value={field.value} onChange={field.onChange} />}
      </FormField>
    </FormDialog>
  );
}
