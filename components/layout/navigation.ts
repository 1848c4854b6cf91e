import {
  Activity,
  Ban,
  Boxes,
  ChartNoAxesCombined,
  Coins,
  Contact,
  FileDown,
  FileText,
  FileUp,
  Gauge,
  Handshake,
  Inbox,
  Megaphone,
  KeyRound,
  MailCheck,
  MailOpen,
  MessagesSquare,
  MessageCircleReply,
  Plug,
  Route,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  Target,
  UserRoundCheck,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import type { PortalData } from "../portal/portal-context.tsx";
import { visibleSections } from "../settings/settings-sections.ts";

export type NavigationItem = {
  label: string;
  /** Path below `/[tenant]`, or an absolute one when `external`. */
  path: string;
  icon: LucideIcon;
  section: "Messaging" | "Delivery" | "Developers" | "Test" | "Organisation";
  /** What the reader must be allowed to do, any of it; without it the item is not there. */
  permission?: string | readonly string[];
  /** Second key after `g`. */
  key?: string;
  /** More words that find this page in ⌘K. */
  keywords?: string;
  external?: boolean;
  /** Always about this kind of environment, whichever is chosen: the page is under its colour. */
  about?: "sandbox";
  /** What of it waits for somebody is counted beside it. */
  count?: "approvals" | "reviews";
  only?: (data: PortalData) => boolean;
};

/** Every page of the portal, once: the side navigation, ⌘K and the `g …` shortcuts all read this list. */
export const navigation: readonly NavigationItem[] = [
  {
    label: "Overview",
    path: "/overview",
    icon: Gauge,
    section: "Messaging",
    permission: "notifications:read",
    key: "o",
    keywords: "dashboard home volume delivery rate latency health",
  },
  {
    label: "Send",
    path: "/send",
    icon: Send,
    section: "Messaging",
    permission: "notifications:send",
    key: "s",
    keywords: "compose test message",
  },
  {
    label: "Broadcasts",
    path: "/broadcasts",
    icon: Megaphone,
    section: "Messaging",
    permission: "notifications:read",
    key: "d",
    keywords: "campaign bulk groups contacts newsletter mass send pause resume",
  },
  {
    label: "Messages",
    path: "/messages",
    icon: MessagesSquare,
    section: "Messaging",
    permission: "notifications:read",
    key: "m",
    keywords: "notifications log search delivery status",
  },
  {
    label: "Approvals",
    path: "/approvals",
    icon: UserRoundCheck,
    section: "Messaging",
    permission: "notifications:send",
    key: "v",
    keywords: "agents ai pending approve refuse automation",
    count: "approvals",
  },
  {
    label: "Conversations",
    path: "/conversations",
    icon: MessageCircleReply,
    section: "Messaging",
    permission: "notifications:read",
    key: "c",
    keywords: "inbound answers replies received recipients inbox opt-out stop",
  },
  {
    label: "Consent",
    path: "/consent",
    icon: Handshake,
    section: "Messaging",
    permission: "consent:read",
    key: "e",
    keywords: "opt-in opt-out unsubscribe stop permission gdpr tcpa recipients review",
    count: "reviews",
  },
  {
    label: "Suppressions",
    path: "/suppressions",
    icon: Ban,
    section: "Messaging",
    permission: "consent:read",
    key: "x",
    keywords: "suppressed bounce complaint spam block list do not contact",
  },
  {
    label: "Imports",
    path: "/imports",
    icon: FileUp,
    section: "Messaging",
    permission: ["consent:write", "contacts:write"],
    keywords: "csv upload file consent contacts suppressions opt-out list errors",
  },
  {
    label: "Exports",
    path: "/exports",
    icon: FileDown,
    section: "Messaging",
    permission: ["notifications:read", "costs:read"],
    keywords: "csv download file messages costs ledger spreadsheet",
  },
  {
    label: "Scheduled reports",
    path: "/scheduled-reports",
    icon: MailCheck,
    section: "Messaging",
    permission: ["reports:read", "costs:read"],
    keywords: "mail e-mail daily weekly monthly report figures saved views",
  },
  {
    label: "Contacts",
    path: "/contacts",
    icon: Contact,
    section: "Messaging",
    permission: "contacts:read",
    key: "n",
    keywords:
      "people customers recipients groups segments audience lists address book attributes merge duplicates",
  },
  {
    label: "Templates",
    path: "/templates",
    icon: FileText,
    section: "Messaging",
    permission: "templates:read",
    key: "t",
    keywords: "content versions liquid",
  },
  {
    label: "Pipeline",
    path: "/pipeline",
    icon: Workflow,
    section: "Messaging",
    permission: "templates:read",
    key: "l",
    keywords: "promote promotions approve approval stages deploy release roll back rollback kill switch",
  },
  {
    label: "Providers",
    path: "/providers",
    icon: Plug,
    section: "Delivery",
    permission: "providers:read",
    key: "p",
    keywords: "connections smtp twilio health",
  },
  {
    label: "Health",
    path: "/health",
    icon: Activity,
    section: "Delivery",
    permission: "providers:read",
    key: "h",
    keywords: "incidents outage breaker failover latency errors slow probe",
  },
  {
    label: "Deliverability",
    path: "/deliverability",
    icon: MailCheck,
    section: "Delivery",
    permission: "reports:read",
    keywords: "spam complaints bounces gmail yahoo outlook hold release spf dkim dmarc dns clicks reputation",
    only: (data) => mayEverywhere(data, "reports:read"),
  },
  {
    label: "Objectives",
    path: "/objectives",
    icon: Target,
    section: "Delivery",
    permission: "reports:read",
    keywords:
      "slo sla availability uptime error budget burn one-time codes latency status page incidents alerts",
    only: (data) => mayEverywhere(data, "reports:read"),
  },
  {
    label: "Routing",
    path: "/routing",
    icon: Route,
    section: "Delivery",
    permission: "providers:read",
    key: "r",
    keywords: "rules tiers weights failover matrix unroutable residency history",
  },
  {
    label: "Delivery",
    path: "/delivery",
    icon: ChartNoAxesCombined,
    section: "Delivery",
    permission: "reports:read",
    keywords: "report statistics rate latency failures providers compare analytics",
  },
  {
    label: "Costs",
    path: "/costs",
    icon: Coins,
    section: "Delivery",
    permission: "costs:read",
    keywords: "spend price budget money finance invoice currency forecast fees estimate",
  },
  {
    label: "Webhooks",
    path: "/webhooks",
    icon: Webhook,
    section: "Developers",
    permission: "webhooks:manage",
    key: "w",
    keywords: "endpoints callbacks events deliveries replay",
  },
  {
    label: "API keys",
    path: "/api-keys",
    icon: KeyRound,
    section: "Developers",
    permission: "api_keys:manage",
    key: "k",
    keywords: "tokens credentials secret",
  },
  {
    label: "Documentation",
    path: "/docs",
    icon: Boxes,
    section: "Developers",
    keywords: "docs guides api reference openapi swagger help",
    external: true,
  },
  {
    label: "Sandbox inbox",
    path: "/sandbox",
    about: "sandbox",
    icon: Inbox,
    section: "Test",
    permission: "notifications:read",
    key: "i",
    keywords: "simulator simulated received",
    only: (data) => data.environments.some((each) => each.kind === "sandbox"),
  },
  {
    label: "Mailbox",
    path: "/mailbox",
    about: "sandbox",
    icon: MailOpen,
    section: "Test",
    permission: "content:reveal",
    key: "b",
    keywords: "mail smtp quickstart received",
    only: (data) => data.hasMailbox && mayEverywhere(data, "content:reveal"),
  },
  {
    label: "Members",
    path: "/members",
    icon: Users,
    section: "Organisation",
    permission: "members:manage",
    keywords: "people users team invite invitations suspend leave remove access",
  },
  {
    label: "Roles",
    path: "/roles",
    icon: ShieldCheck,
    section: "Organisation",
    permission: "members:manage",
    keywords: "permissions rights custom",
  },
  {
    label: "Audit",
    path: "/audit",
    icon: ScrollText,
    section: "Organisation",
    permission: "audit:read",
    key: "a",
    keywords: "trail log history who changed compliance export verify",
  },
  {
    label: "Settings",
    path: "/settings",
    icon: Settings,
    section: "Organisation",
    only: (data) => visibleSections(data).length > 0,
    key: ",",
    keywords:
      "organisation branding logo colour color accent sender name support teams units applications environments single sign-on sso oidc openid google identity provider directory scim entra okta domains groups provisioning notification types classes ai moderation drafting policy budget tokens data residency regions transfer retention purge delete consent policy opt-in opt-out marketing recipients erase erasure export privacy gdpr short links",
  },
];

/** Whether the reader has a permission in the whole organisation, not only in a team of it. */
const mayEverywhere = (data: PortalData, permission: string): boolean =>
  data.permissionsByUnit.some((each) => each.unitId === null && each.permissions.includes(permission));

export function visibleNavigation(data: PortalData): NavigationItem[] {
  const may = (permission: NavigationItem["permission"] = []) => {
    const any = typeof permission === "string" ? [permission] : permission;
    return any.length === 0 || any.some((each) => data.permissions.includes(each));
  };
  return navigation.filter((item) => may(item.permission) && (item.only?.(data) ?? true));
}
