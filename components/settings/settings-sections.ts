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
    says: "Name, short name and sending quotas.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Branding",
    path: "/branding",
    icon: Palette,
    says: "Logo, colour and sender name in the portal, in e-mails to members and on invitations.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Teams",
    path: "/teams",
    icon: UsersRound,
    says: "Separate who sees what. Members of one team don't see other teams' data.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Applications",
    path: "/applications",
    icon: AppWindow,
    says: "The systems that send messages, each with its own templates, pipeline and keys.",
    permission: "organization:manage",
    everywhere: false,
  },
  {
    label: "Environments",
    path: "/environments",
    icon: Layers,
    says: "Sandbox, test and production environments.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Notification types",
    path: "/notification-types",
    icon: Tags,
    says: "What messages are about, how fast they are sent and which consent they need.",
    permission: "organization:manage",
    everywhere: true,
  },
  {
    label: "Sign-in",
    path: "/sign-in",
    icon: ShieldCheck,
    says: "How members sign in, second factors and session length.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Single sign-on",
    path: "/single-sign-on",
    icon: LogIn,
    says: "Sign in with Entra, Google, Okta or another identity provider.",
    permission: "members:manage",
    everywhere: true,
  },
  {
    label: "Directory",
    path: "/directory",
    icon: BookUser,
    says: "Add and deactivate members from Entra, Okta or another directory, and map groups to roles.",
    permission: "members:manage",
    everywhere: true,
  },
  {
    label: "Consent policy",
    path: "/consent",
    icon: Handshake,
    says: "Which messages need an opt-in, by class, channel and region.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Quiet hours and caps",
    path: "/quiet-hours",
    icon: MoonStar,
    says: "When messages wait, and how many a recipient can get.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Data and regions",
    path: "/data",
    icon: Globe,
    says: "Where your data may be processed, and which providers process it.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Retention",
    path: "/retention",
    icon: CalendarX2,
    says: "How long messages, addresses and logs are kept.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Recipients' data",
    path: "/recipients",
    icon: UserRoundX,
    says: "Find, export and erase what is stored about a recipient.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Keywords and replies",
    path: "/recipient-words",
    icon: MessageCircleOff,
    says: "STOP, START and HELP keywords, and automatic replies to them.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Short links",
    path: "/short-links",
    icon: Link2,
    says: "The link shortener of each environment.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "Currency",
    path: "/currency",
    icon: Coins,
    says: "The currency for your costs, and your exchange rates.",
    permission: "settings:manage",
    everywhere: true,
  },
  {
    label: "AI and moderation",
    path: "/ai",
    icon: Bot,
    says: "What the AI service can do, its content rules and its monthly limit.",
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
