import { z } from "zod";
import { providerHttp } from "../connections/provider-http.ts";
import { previewMessage } from "../sending/preview-message.ts";
import { procedure, router } from "../trpc/init.ts";
import { archiveTemplate } from "./archive-template.ts";
import { checkWhatsappApproval } from "./check-whatsapp-approval.ts";
import { createTemplate } from "./create-template.ts";
import { deployTemplateVersion } from "./deploy-template-version.ts";
import { duplicateTemplate } from "./duplicate-template.ts";
import { getCoverage } from "./get-coverage.ts";
import { getTemplate } from "./get-template.ts";
import {
  templateCoverageQuerySchema,
  templateDuplicateSchema,
  templateGroupQuerySchema,
} from "./library-schemas.ts";
import { listTemplateGroups } from "./list-template-groups.ts";
import { listTemplates } from "./list-templates.ts";
import { listWhatsappApprovals } from "./list-whatsapp-approvals.ts";
import { restoreTemplate } from "./restore-template.ts";
import {
  killSwitchSchema,
  templateCreateSchema,
  templateListQuerySchema,
  templatePreviewInputSchema,
  templateUpdateSchema,
  whatsappApprovalCheckSchema,
  whatsappApprovalSetSchema,
} from "./schemas.ts";
import { setKillSwitch } from "./set-kill-switch.ts";
import { setWhatsappApproval } from "./set-whatsapp-approval.ts";
import { updateTemplate } from "./update-template.ts";

const readable = procedure.meta({ permissions: ["templates:read"] });
const writable = procedure.meta({ permissions: ["templates:write"] });
const one = z.object({ id: z.uuid() });

/** Templates, their versions and what is live where, for the portal. */
export const templatesRouter = router({
  list: readable.input(templateListQuerySchema).query(({ ctx, input }) => listTemplates(ctx.tidings, input)),
  groups: readable
    .input(templateGroupQuerySchema)
    .query(({ ctx, input }) => listTemplateGroups(ctx.tidings, input)),
  coverage: readable
    .input(templateCoverageQuerySchema)
    .query(({ ctx, input }) => getCoverage(ctx.tidings, input)),
  get: readable
    .input(one.extend({ version: z.int().min(1).optional() }))
    .query(({ ctx, input }) => getTemplate(ctx.tidings, input)),
  preview: readable
    .input(templatePreviewInputSchema)
    .query(({ ctx, input }) => previewMessage(ctx.tidings, input)),
  create: writable
    .input(templateCreateSchema)
    .mutation(({ ctx, input }) => createTemplate(ctx.tidings, input)),
  update: writable
    .input(templateUpdateSchema.extend(one.shape))
    .mutation(({ ctx, input }) => updateTemplate(ctx.tidings, input)),
  duplicate: writable
    .input(templateDuplicateSchema)
    .mutation(({ ctx, input }) => duplicateTemplate(ctx.tidings, input)),
  restore: writable.input(one).mutation(({ ctx, input }) => restoreTemplate(ctx.tidings, input)),
  archive: writable.input(one).mutation(({ ctx, input }) => archiveTemplate(ctx.tidings, input)),
  /** Into the first stage and the sandbox; later stages are reached by promotion. */
  deploy: writable
    .input(
      z.object({
        templateId: z.uuid(),
        environment: z.string().min(1).max(64),
        version: z.int().min(1).optional(),
      }),
    )
    .mutation(({ ctx, input }) => deployTemplateVersion(ctx.tidings, input)),
  setKillSwitch: procedure
    .meta({ permissions: ["promotions:approve"] })
    .input(killSwitchSchema.extend(one.shape))
    .mutation(({ ctx, input }) => setKillSwitch(ctx.tidings, input)),
  whatsappApprovals: readable
    .input(z.object({ templateId: z.uuid() }))
    .query(({ ctx, input }) => listWhatsappApprovals(ctx.tidings, input)),
  setWhatsappApproval: writable
    .input(whatsappApprovalSetSchema.extend({ templateId: z.uuid() }))
    .mutation(({ ctx, input }) => setWhatsappApproval(ctx.tidings, input)),
  checkWhatsappApproval: writable
    .input(whatsappApprovalCheckSchema.extend({ templateId: z.uuid() }))
    .mutation(({ ctx, input }) => checkWhatsappApproval(ctx.tidings, input, { http: providerHttp() })),
});
