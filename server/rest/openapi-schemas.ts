import type { z } from "zod";
import {
  providerAdapterSchema,
  providerCreateSchema,
  providerDetailSchema,
  providerSchema,
  providerUpdateSchema,
} from "../connections/schemas.ts";
import { deliveryReportSchema } from "../insights/schemas.ts";
import {
  explanationSchema,
  notificationCreateSchema,
  notificationEventSchema,
  notificationSchema,
  notificationSummarySchema,
  recipientSchema,
  sendRequestSchema,
  sendResponseSchema,
} from "../sending/schemas.ts";
import {
  templateCreateSchema,
  templateSchema,
  templateSummarySchema,
  templateUpdateSchema,
} from "../templates/schemas.ts";
import {
  webhookCreateSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookUpdateSchema,
} from "../webhooks/schemas.ts";
import { webhookEventDocument } from "./openapi-webhooks.ts";

/** Schemas that have a name in the document, so that generated clients have a type of that name. */
export const namedSchemas: Record<string, z.ZodType> = {
  DeliveryReport: deliveryReportSchema,
  Explanation: explanationSchema,
  Notification: notificationSchema,
  NotificationCreate: notificationCreateSchema,
  NotificationEvent: notificationEventSchema,
  NotificationSummary: notificationSummarySchema,
  Provider: providerSchema,
  ProviderAdapter: providerAdapterSchema,
  ProviderCreate: providerCreateSchema,
  ProviderDetail: providerDetailSchema,
  ProviderUpdate: providerUpdateSchema,
  Recipient: recipientSchema,
  SendRequest: sendRequestSchema,
  SendResponse: sendResponseSchema,
  Template: templateSchema,
  TemplateCreate: templateCreateSchema,
  TemplateSummary: templateSummarySchema,
  TemplateUpdate: templateUpdateSchema,
  Webhook: webhookSchema,
  WebhookCreate: webhookCreateSchema,
  WebhookDelivery: webhookDeliverySchema,
  WebhookEvent: webhookEventDocument,
  WebhookUpdate: webhookUpdateSchema,
};
