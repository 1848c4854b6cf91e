import { groupName } from "../../server/deliverability/vocabulary.ts";
import type { Notice, NoticeKind } from "../../server/notices/schemas.ts";
import { formatPercent, plural } from "../ui/format.ts";
import { formatLocal } from "../ui/time.tsx";
import { dateFormat } from "../ui/intl.ts";

type Named = { slug: string; name: string };

/** A notice's line and where it leads. */
export type NoticeLine = {
  title: string;
  detail: string;
  path: string | null;
  query?: Record<string, string>;
};

type MailKind = Extract<NoticeKind, `mail.${string}`>;
type ProviderKind = Extract<NoticeKind, `provider.${string}`>;

const mailLines: Record<MailKind, (mailboxes: string, by: string) => string> = {
  "mail.warned": (mailboxes) => `E-mail to ${mailboxes} is near the limit for complaints or bounces`,
  "mail.held": (mailboxes) => `Marketing to ${mailboxes} is held`,
  "mail.hold_ended": (mailboxes) => `Marketing to ${mailboxes} has resumed`,
  "mail.hold_released": (mailboxes, by) => `${by} released marketing to ${mailboxes}`,
};
const isOfMail = (kind: NoticeKind): kind is MailKind => kind in mailLines;

const sentences: Record<
  Exclude<
    NoticeKind,
    | ProviderKind
    | "pipeline.proposed"
    | "send.approval_requested"
    | "template.recategorised"
    | "consent.review_requested"
    | `quota.${string}`
    | MailKind
    | `${string}.unreadable`
    | `sign_in.${string}`
    | `export.${string}`
    | `report.${string}`
    | "budget.threshold_reached"
    | "costs.unusual"
    | `objective.${string}`
    | "webhook.turned_off"
  >,
  (by: string, what: string, to: string) => string
> = {
  "promotion.requested": (by, what, to) => `${by} asks you to approve ${what} to ${to}`,
  "promotion.approved": (by, what, to) => `${by} approved your promotion of ${what} to ${to}`,
  "promotion.rejected": (by, what, to) => `${by} rejected your promotion of ${what} to ${to}`,
  "promotion.deployed": (_by, what, to) => `Your promotion of ${what} is live in ${to}`,
  "promotion.blocked": (_by, what, to) =>
    `The promotion of ${what} can't be deployed: ${to} has changed since`,
  "promotion.rolled_back": (by, what, to) => `${by} rolled back your promotion of ${what} to ${to}`,
};

const providerSentences: Record<ProviderKind, string> = {
  "provider.unavailable": "is unavailable",
  "provider.recovered": "has recovered",
  "provider.slow": "has become slow",
};

function isProviderKind(kind: NoticeKind): kind is ProviderKind {
  return kind in providerSentences;
}

const monthOf = (month: string) =>
  dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));

/** What a notice says, with environments called by the names that people know. */
export function noticeLine(notice: Notice, environments: readonly Named[]): NoticeLine {
  const text = (name: string) => {
    const value = notice.data[name];
    return value === undefined ? "" : String(value);
  };
  if (isProviderKind(notice.kind)) {
    return {
      title: `${text("provider")} ${providerSentences[notice.kind]}`,
      detail: text("reason"),
      path: "/health",
      query: { connection: notice.targetId },
    };
  }
  if (notice.kind === "webhook.turned_off") {
    return {
      title: `The webhook endpoint at ${text("host")} was turned off`,
      detail: `${text("reason") === "gone" ? "It answered 410 Gone" : "Every attempt failed for five days"}. What it misses is kept for 30 days`,
      path: `/webhooks/${notice.targetId}`,
    };
  }
  if (notice.kind === "pipeline.proposed") {
    return {
      title: `${text("by")} asks you to confirm a change that loosens a pipeline`,
      detail: text("application"),
      path: "/pipeline/settings",
      query: { application: text("application") },
    };
  }
  if (notice.kind === "send.approval_requested") {
    return {
      title: `${text("by")} asks you to approve what it wants to send`,
      detail: text("application"),
      path: "/approvals",
    };
  }
  if (notice.kind === "template.recategorised") {
    const from = text("from");
    return {
      title: `WhatsApp ${from === "" ? "counts" : "will count"} ${text("template")} as ${text("category")}${from === "" ? " now" : ` from ${formatLocal(from)}`}`,
      detail:
        text("category") === "marketing"
          ? "It is only sent to people who may receive marketing, whatever the class of its type"
          : "",
      path: `/templates/${notice.targetId}`,
    };
  }
  if (notice.kind === "consent.review_requested") {
    return {
      title: "A recipient may have opted out. Review their message",
      detail: "Until then, they get no marketing on that channel",
      path: "/consent",
    };
  }
  if (notice.kind === "quota.used_up" || notice.kind === "quota.nearly_used_up") {
    const today = text("period") === "day";
    return {
      title:
        notice.kind === "quota.used_up"
          ? `Your organisation has reached its quota of messages ${today ? "for today" : "for this month"}`
          : `Your organisation has used ${formatPercent(0.8, 0)} of its messages ${today ? "for today" : "for this month"}`,
      detail: `${plural(Number(notice.data.allowed ?? 0), "message")} ${today ? "a day" : "a month"}`,
      path: "/settings/organisation",
    };
  }
  if (isOfMail(notice.kind)) {
    const mailboxes = groupName(text("group"));
    return {
      title: mailLines[notice.kind](mailboxes, text("by")),
      detail: text("reason"),
      path: "/deliverability",
    };
  }
  if (notice.kind === "export.finished" || notice.kind === "export.failed") {
    const finished = notice.kind === "export.finished";
    return {
      title: finished ? "Your export is ready" : "Your export has failed",
      detail: finished
        ? `${text("file")}, ${plural(Number(notice.data.rows ?? 0), "row")}, kept for 7 days`
        : text("file"),
      path: "/exports",
    };
  }
  if (notice.kind === "report.failed") {
    return {
      title: "A scheduled report could not be sent to everyone",
      detail: text("view"),
      path: "/scheduled-reports",
    };
  }
  if (notice.kind === "report.view_unshared") {
    return {
      title: `${text("by")} no longer shares the view “${text("view")}”`,
      detail:
        "Your reports of it are not sent until it is shared again. Save a view of your own to keep getting them",
      path: "/scheduled-reports",
    };
  }
  if (notice.kind === "report.view_deleted") {
    return {
      title: `${text("by")} deleted the view “${text("view")}” and your reports of it`,
      detail: "Save a view of your own to schedule them again",
      path: "/scheduled-reports",
    };
  }
  if (notice.kind === "budget.threshold_reached") {
    return {
      title: `The budget “${text("budget")}” has reached ${formatPercent(Number(notice.data.percent ?? 0) / 100, 0)}`,
      detail: `${text("month") === "" ? "" : `In ${monthOf(text("month"))}. `}Messages are still sent`,
      path: "/costs/budgets",
    };
  }
  if (notice.kind === "objective.burning" || notice.kind === "objective.recovered") {
    const ofCodes = text("objective") === "codes";
    return notice.kind === "objective.burning"
      ? {
          title: ofCodes ? "Too many one-time codes are late" : "Too many send requests are not accepted",
          detail: "The error budget of the last 30 days is burning too fast",
          path: "/objectives",
        }
      : {
          title: ofCodes ? "One-time codes are on time again" : "Send requests are accepted again",
          detail: "The error budget is no longer burning too fast",
          path: "/objectives",
        };
  }
  if (notice.kind === "costs.unusual") {
    const day = dateFormat({ dateStyle: "medium", timeZone: "UTC" });
    return {
      title: `Unusual costs on ${text("day") === "" ? "one day" : day.format(new Date(text("day")))}`,
      detail: `${plural(Number(notice.data.count ?? 0), "application and country", "applications and countries")} cost far more than usual`,
      path: "/costs/budgets",
    };
  }
  if (notice.kind === "recipient_limits.unreadable") {
    return {
      title: "The stored quiet hours and caps can't be read",
      detail: "Marketing waits until they are saved again",
      path: "/settings/quiet-hours",
    };
  }
  if (notice.kind === "consent_policy.unreadable") {
    return {
      title: "The stored consent policy can't be read",
      detail: "Until it is saved again, people without an opt-in only get one-time codes",
      path: "/settings/consent",
    };
  }
  if (notice.kind === "sign_in.failed") {
    return {
      title: `${text("failures")} failed sign-in attempts to your account`,
      detail: "If this wasn't you, change your password",
      path: "/account",
    };
  }
  if (notice.kind === "sign_in.recovery_code") {
    return {
      title: "A recovery code was used to sign in to your account",
      detail: `${plural(Number(notice.data.left ?? 0), "code")} left. If this wasn't you, change your password`,
      path: "/account",
    };
  }
  if (notice.kind === "sign_in.passkey_added" || notice.kind === "sign_in.passkey_removed") {
    const added = notice.kind === "sign_in.passkey_added";
    return {
      title: `The passkey “${text("name")}” was ${added ? "added to" : "removed from"} your account`,
      detail: `If this wasn't you, ${added ? "remove it and change your password" : "change your password"}`,
      path: "/account",
    };
  }
  if (notice.kind === "sign_in.passkey_copied") {
    return {
      title: `The passkey “${text("name")}” was refused: it may have been copied`,
      detail: "Remove it and add a new one",
      path: "/account",
    };
  }
  const named = (slug: string) => environments.find((each) => each.slug === slug)?.name ?? slug;
  const templates = Number(notice.data.templates ?? 0);
  return {
    title: sentences[notice.kind](text("by"), plural(templates, "template"), named(text("to"))),
    detail: text("application"),
    path: notice.targetType === "promotion" ? `/pipeline/promotions/${notice.targetId}` : null,
  };
}
