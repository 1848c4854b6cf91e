import * as providers from "../connections/rest.ts";
import * as conversations from "../conversations/rest.ts";
import * as insights from "../insights/rest.ts";
import * as links from "../links/rest.ts";
import * as pipelines from "../pipelines/rest.ts";
import * as residency from "../residency/rest.ts";
import * as routing from "../routing/rest.ts";
import * as sandbox from "../sandbox/rest.ts";
import * as sending from "../sending/rest.ts";
import * as templateFiles from "../template-files/rest.ts";
import * as templates from "../templates/rest.ts";
import * as webhooks from "../webhooks/rest.ts";
import { isRouteContract } from "./define-route.ts";
import type { RouteContract } from "./define-route.ts";

/** Every public REST operation. A domain's contracts are all that its rest.ts exports. */
export const contracts: readonly RouteContract[] = [
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
  webhooks,
].flatMap((domain) => Object.values(domain).filter(isRouteContract));
