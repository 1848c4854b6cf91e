"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { updateApiKeySchema, type ApiKeySummary } from "../../server/access/schemas.ts";
import { keyLimits } from "../../server/access/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { agentOf, networksHint, networksOf, recipientsHint } from "./key-values.ts";

/** Changes what a key is called and for, where it may be used from, and an agent's limits. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeySummary; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("apiKeys");
  const update = useMutation(trpc.apiKeys.update.mutationOptions());
  const { agent } = apiKey;
  // Of what the form began with: the list behind it goes on.
  const [revision] = useState(apiKey.revision);
  // What is masked cannot be edited: it would be saved with its dots.
  const revealed = agent?.masked === false;
  const form = useOperationForm({
    schema: updateApiKeySchema,
    defaultValues: {
      name: apiKey.name,
      purpose: apiKey.purpose,
      allowedNetworks: apiKey.allowedNetworks.join("\n"),
      agent: {
        recipients: agent?.recipients.join("\n") ?? "",
        hourlyCap: String(agent?.hourlyCap ?? ""),
        laterStages: agent?.laterStages ?? false,
      },
    },
    input: ({ name, purpose, allowedNetworks, agent: typed }) => {
      const { recipients, ...others } = agentOf(typed);
      return {
        id: apiKey.id,
        revision,
        name: name.trim(),
        purpose: purpose.trim(),
        allowedNetworks: networksOf(allowedNetworks),
        agent: agent ? { ...others, ...(revealed ? { recipients } : {}) } : undefined,
      };
    },
    send: async (input) => {
      try {
        await update.mutateAsync(input);
      } catch (error) {
        // Opened again, the form begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict") await refresh();
        throw error;
      }
      await refresh();
      toast.success(`Key “${input.name ?? apiKey.name}” saved. It takes effect within seconds`);
      onClose();
    },
  });

  return (
    <FormDialog form={form} title={`Change “${apiKey.name}”`} submitLabel="Save" onClose={onClose}>
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoComplete="off" />
      <TextField
        {...form.field("purpose")}
        label="Purpose"
        optional
        maxLength={keyLimits.purpose}
        autoComplete="off"
      />
      {agent ? (
        <>
          {revealed ? (
            <TextareaField
              {...form.field("agent.recipients")}
              label="May write to"
              hint={recipientsHint}
              rows={5}
              inputClassName="font-mono text-xs"
              required
            />
          ) : null}
          <TextField
            {...form.field("agent.hourlyCap")}
            label="Messages per hour"
            hint="In any 60 minutes. More are refused."
            inputMode="numeric"
            required
          />
          <FormField {...form.field("agent.laterStages")} label="Stages">
            {(_ids, field) => (
              <CheckboxField
                label="May send beyond the first stage of a pipeline"
                checked={field.value}
                onChange={field.onChange}
              >
                In production, a person has to approve each request.
              </CheckboxField>
            )}
          </FormField>
        </>
      ) : null}
      <TextareaField
        {...form.field("allowedNetworks")}
        label="Allowed networks"
        optional
        hint={networksHint}
        rows={3}
        inputClassName="font-mono text-xs"
      />
    </FormDialog>
  );
}
