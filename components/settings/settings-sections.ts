import {
  AppWindow,
  Bot,
  BookUser,
  Building2,
  CalendarX2,
  Coins,
  Globe,
  Handshake,
  Layers,
  Link2,
  LogIn,
  MessageCircleOff,
  MoonStar,
  Palette,
  ShieldCheck,
  Tags,
  UserRoundX,
  UsersRound,
  type LucideIcon,
} from "lucide-react";
import type { Permission } from "../../server/access/schemas.ts";
import type { PortalData } from "../portal/portal-context.tsx";

export type SettingsSection = {
  label: string;
  /** Path below `/[tenant]/settings`. */
  path: string;
  icon: LucideIcon;
  /** What it is, in a sentence. */
  says: string;
  permission: Permission;
  /** Whether the permission is needed in the whole organisation; otherwise somewhere. */
  everywhere: boolean;
};

/** Every page of Settings, once: its own navigation and its first page read this list. */
export const settingsSections: readonly SettingsSection[] = [
  {
    label: "Organisation",
    path: "/organisation",
    icon: Building2,
    says: "Its name, the short name in the address of its pages, and how much it may send.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Branding",
    path: "/branding",
    icon: Palette,
    says: "Logo, colour and sender's name that your people see: in the portal, in mails to them and on invitations.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Teams",
    path: "/teams",
    icon: UsersRound,
    says: "Who sees what: members of one team see nothing of another.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Applications",
    path: "/applications",
    icon: AppWindow,
    says: "What sends messages: each has its own templates, pipeline and keys.",
    permission: "organization:manage",
    everywhere: false,
  },
  {
    label: "Environments",
    path: "/environments",
    icon: Layers,
    says: "Where messages go: to nobody in the sandbox, to real people in production.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Notification types",
    path: "/notification-types",
    icon: Tags,
    says: "What messages are about; a type's class decides how fast they are sent and which consent they need.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Sign-in",
    path: "/sign-in",
    icon: ShieldCheck,
    says: "How your people sign in, whether they need a second factor, and how long sessions last.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Single sign-on",
    path: "/single-sign-on",
    icon: LogIn,
    says: "Your people sign in with the account they have at Entra, Google, Okta or another identity provider.",
    permission: "members:manage",
    everywhere: true,
  },
  {
    label: "Directory",
    path: "/directory",
    icon: BookUser,
    says: "Entra, Okta or another directory adds and locks out members, and its groups give them roles.",
    permission: "members:manage",
    everywhere: true,
  },
  {
    label: "Consent policy",
    path: "/consent",
    icon: Handshake,
    says: "Which messages need the recipient's opt-in, by class, channel and region.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Quiet hours and caps",
    path: "/quiet-hours",
    icon: MoonStar,
    says: "When messages wait for their recipients' sake, and how many each gets.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Data and regions",
    path: "/data",
    icon: Globe,
    says: "Where your data may be processed, and which providers process it where.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Retention",
    path: "/retention",
    icon: CalendarX2,
    says: "How long messages, addresses and logs are kept, and what has gone.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Recipients' data",
    path: "/recipients",
    icon: UserRoundX,
    says: "What is held about somebody who asks: find it, hand it out, erase it.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Words from recipients",
    path: "/recipient-words",
    icon: MessageCircleOff,
    says: "What recipients write to say stop, start or help: your own words beside the usual ones.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Short links",
    path: "/short-links",
    icon: Link2,
    says: "Which service shortens the links in your messages, in each environment.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Currency",
    path: "/currency",
    icon: Coins,
    says: "The currency in which you read your costs, and your rates for others.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "AI and moderation",
    path: "/ai",
    icon: Bot,
    says: "What the AI service may do with your templates, which rules it follows and what it may cost.",
    permission: "settings:manage",
    everywhere: true,
  },
];

/** The pages that the reader may use. */
export function visibleSections(
  data: Pick<PortalData, "permissions" | "permissionsByUnit">,
): SettingsSection[] {
  const wide = data.permissionsByUnit.find(({ unitId }) => unitId === null)?.permissions ?? [];
  return settingsSections.filter(({ permission, everywhere }) =>
    (everywhere ? wide : data.permissions).includes(permission),
  );
}
