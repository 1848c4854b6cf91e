"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { roleChoices } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";

const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

const everything = "tenant";

/** Makes a key for the environment that is shown, and hands its text over once. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const { applications, environment, units } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [name, setName] = useState("");
  const [role, setRole] = useState("sender");
  const [scope, setScope] = useState(applications[0] ? `application:${applications[0].id}` : everything);
  const [lifetime, setLifetime] = useState("never");

  const create = useMutation(
    trpc.apiKeys.create.mutationOptions({
      onSuccess: async (created) => {
        await queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() });
        toast.success(`Key “${name.trim()}” made for ${environment.name}`);
        onClose();
        onCreated(created.key);
      },
    }),
  );
  const wrong = fieldErrors(create.error);

  function submit() {
    const [kind, id] = scope.split(":");
    create.mutate({
      name: name.trim(),
      environmentId: environment.id,
      role,
      unitId: kind === "unit" ? id : undefined,
      applicationId: kind === "application" ? id : undefined,
      expiresAt: lifetime === "never" ? undefined : new Date(Date.now() + Number(lifetime) * 86_400_000),
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Make an API key"
      description={`It works in ${environment.name} only. Switch the environment for a key to another one.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            Make key
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {create.error && Object.keys(wrong).length === 0 ? (
          <FormError title={errorText(create.error)} />
        ) : null}
        <Field
          label="Name"
          hint="Where it will be used, so that it can be told apart later."
          error={wrong.name}
        >
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Order service"
              maxLength={120}
              required
              autoFocus
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Works for" error={wrong.applicationId ?? wrong.unitId}>
          {(control) => (
            <Select
              id={control.id}
              value={scope}
              onValueChange={setScope}
              options={[
                ...applications.map((each) => ({
                  value: `application:${each.id}`,
                  label: each.title,
                  hint: "application",
                })),
                ...units.map((each) => ({ value: `unit:${each.id}`, label: each.name, hint: "team" })),
                { value: everything, label: "The whole organisation" },
              ]}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Role" error={wrong.role}>
            {(control) => (
              <Select
                id={control.id}
                value={role}
                onValueChange={setRole}
                options={roleChoices.map((choice) => ({ value: choice.key, label: choice.name }))}
              />
            )}
          </Field>
          <Field label="Expires" error={wrong.expiresAt}>
            {(control) => (
              <Select id={control.id} value={lifetime} onValueChange={setLifetime} options={lifetimes} />
            )}
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
