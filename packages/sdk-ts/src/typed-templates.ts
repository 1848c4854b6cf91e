import type { Applications } from "./index.ts";
import type { NotificationCreate, Recipient, SendRequest as LooseSendRequest } from "./schema.ts";

export type Channel = Recipient["channel"];
/** Numbers and dates are sent as the texts that the API takes. */
export type VariableValue = string | number | Date;

type AnyVariables = Record<string, VariableValue>;
interface AnyApplication {
  types: Record<string, Record<string, Record<Channel, AnyVariables>>>;
  templates: Record<string, Record<Channel, AnyVariables>>;
}
type Known = keyof Applications extends never ? Record<string, AnyApplication> : Applications;

export type ApplicationName = Extract<keyof Known, string>;
type TypesOf<A extends ApplicationName> = Known[A] extends { types: infer T } ? T : never;
export type NotificationType<A extends ApplicationName> = Extract<keyof TypesOf<A>, string>;
export type NotificationSubtype<A extends ApplicationName, T extends NotificationType<A>> = Extract<
  keyof TypesOf<A>[T],
  string
>;
export type ChannelOfType<
  A extends ApplicationName,
  T extends NotificationType<A>,
  S extends NotificationSubtype<A, T>,
> = Extract<keyof TypesOf<A>[T][S], Channel>;

type AllOf<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

/** What the templates of all channels in use need together. */
export type VariablesOf<
  A extends ApplicationName,
  T extends NotificationType<A>,
  S extends NotificationSubtype<A, T>,
  C extends ChannelOfType<A, T, S>,
> = AllOf<TypesOf<A>[T][S][C]>;

interface To<C> extends Pick<Recipient, "recipient"> {
  channel: C;
}
type Some<V> = { variables?: Partial<V> };
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- whether nothing would do
type All<V> = {} extends V ? { variables?: V } : { variables: V };
type Groups = NonNullable<LooseSendRequest["contactGroups"]>;

/** Every required variable is in `templateVariables`, or with each recipient, or an attribute of the groups' contacts. */
type Values<C, V> =
  | { templateVariables: readonly V[]; recipients?: readonly (To<C> & Some<V>)[]; contactGroups?: Groups }
  | {
      templateVariables?: readonly Partial<V>[];
      recipients: readonly (To<C> & All<V>)[];
      contactGroups?: never;
    }
  | {
      templateVariables?: readonly Partial<V>[];
      recipients?: readonly (To<C> & Some<V>)[];
      contactGroups: Groups;
    };

/** A request of `send`. Without a `transactionId` the client makes one, and keeps it across its retries. */
export type SendRequest<
  A extends ApplicationName = ApplicationName,
  T extends NotificationType<A> = NotificationType<A>,
  S extends NotificationSubtype<A, T> = NotificationSubtype<A, T>,
  C extends ChannelOfType<A, T, S> = ChannelOfType<A, T, S>,
> = Omit<
  LooseSendRequest,
  | "transactionId"
  | "application"
  | "notificationType"
  | "notificationSubtype"
  | "recipients"
  | "templateVariables"
  | "contactGroups"
> & {
  transactionId?: string;
  application: A;
  notificationType: T;
  notificationSubtype: S;
} & Values<C, VariablesOf<A, T, S, C>>;

type TemplatesOf<A extends ApplicationName> = A extends ApplicationName
  ? Known[A] extends { templates: infer T }
    ? T
    : never
  : never;
type AnyKeyOf<U> = U extends unknown ? keyof U : never;
type In<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;

export type TemplateName<A extends ApplicationName> = AnyKeyOf<TemplatesOf<A>> & string;
export type ChannelOfTemplate<A extends ApplicationName, N extends TemplateName<A>> = AnyKeyOf<
  In<TemplatesOf<A>, N>
> &
  Channel;

/** A request of `messages.create`: one message by the name of its template. */
export type MessageRequest<
  A extends ApplicationName = ApplicationName,
  N extends TemplateName<A> = TemplateName<A>,
  C extends ChannelOfTemplate<A, N> = ChannelOfTemplate<A, N>,
> = Omit<NotificationCreate, "application" | "template" | "channel" | "variables"> & {
  /** Needed when the key serves more than one application. */
  application?: A;
  template: N;
  channel: C;
} & All<In<In<TemplatesOf<A>, N>, C>>;

type Texts = Record<string, string>;

/** Values as the API takes them. What is no number or date stays, so that the service says what is wrong with it. */
export function textsOf(values: object): Texts {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (value === undefined) continue;
    texts[name] =
      typeof value === "number" ? String(value) : value instanceof Date ? value.toISOString() : value;
  }
  return texts as Texts;
}
