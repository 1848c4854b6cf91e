import * as providers from "../connections/rest.ts";
import * as conversations from "../conversations/rest.ts";
import * as insights from "../insights/rest.ts";
import * as links from "../links/rest.ts";
import type { RestContract } from "../operations/operation.ts";
import * as pipelines from "../pipelines/rest.ts";
import * as residency from "../residency/rest.ts";
import * as routing from "../routing/rest.ts";
import * as sandbox from "../sandbox/rest.ts";
import * as sending from "../sending/rest.ts";
import * as templateFiles from "../template-files/rest.ts";
import * as templates from "../templates/rest.ts";
import { webhookOperations } from "../webhooks/operations.ts";

/** Domains whose REST operations are declared in their operations.ts. */
const operations: Record<string, { rest: RestContract | undefined }>[] = [webhookOperations];

/** Every public REST operation. */
export const contracts: readonly RestContract[] = [
  ...[
    sending,
    conversations,
    sandbox,
    templates,
    templateFiles,
    pipelines,
    providers,
    routing,
    insights,
    residency,
    links,
  ].flatMap((domain) => Object.values(domain) as RestContract[]),
  ...operations.flatMap((domain) => Object.values(domain).flatMap(({ rest }) => rest ?? [])),
];
