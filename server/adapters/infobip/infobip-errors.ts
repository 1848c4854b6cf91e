/**
 * Infobip's names of statuses and errors in our vocabulary.
 * Source: https://www.infobip.com/docs/essentials/api-essentials/response-status-and-error-codes
 */
import { errorTable } from "../error-table.ts";
import type { LeftOut } from "../error-table.ts";
import type { KnownFailure } from "../http-call.ts";
import {
  accountRestricted,
  badCredentials,
  contentFiltered,
  contentRejected,
  failureOf,
  invalidRecipient,
  marketingLimited,
  mediaUnavailable,
  optedOut,
  outOfFunds,
  outsideConversation,
  providerExpired,
  providerFault,
  rateLimited,
  recipientBlocked,
  recipientNotVerified,
  recipientUnreachable,
  regionNotEnabled,
  requestRefused,
  senderRejected,
  templateRejected,
  unavailable,
} from "../known-failures.ts";

/** The id of the message was used before: the first one counts. */
export const DUPLICATE = "REJECTED_DUPLICATE_MESSAGE_ID";

/** Of the groups UNDELIVERABLE, EXPIRED and REJECTED; those of voice, push and the like do not come here. */
export const infobipStatuses = errorTable([
  [regionNotEnabled, ["REJECTED_NETWORK", "REJECTED_ROUTE_NOT_AVAILABLE"]],
  [invalidRecipient, ["REJECTED_PREFIX_MISSING", "MISSING_TO", "REJECTED_DESTINATION"]],
  [recipientBlocked, ["REJECTED_DND", "REJECTED_DESTINATION_BLOCKLISTED"]],
  [senderRejected, ["REJECTED_SOURCE", "REJECTED_SENDER"]],
  [outOfFunds, ["REJECTED_NOT_ENOUGH_CREDITS", "REJECTED_PREPAID_PACKAGE_EXPIRED"]],
  [recipientNotVerified, ["REJECTED_DESTINATION_NOT_REGISTERED"]],
  [contentFiltered, ["REJECTED_FLOODING_FILTER", "SIGNALS_BLOCKED", "UNDELIVERABLE_REJECTED_OPERATOR"]],
  [providerFault, ["REJECTED_SYSTEM_ERROR", "UNDELIVERABLE_NOT_SENT"]],
  [
    contentRejected,
    ["REJECTED_MESSAGE_TOO_LONG", "REJECTED_MESSAGE_TEXT_TOO_LONG", "REJECTED_VALIDATION_FAILED"],
  ],
  [
    requestRefused,
    ["REJECTED_INVALID_UDH", "REJECTED_INVALID_NOTIFY_URL", "UNDELIVERABLE_REJECTED_PLATFORM"],
  ],
  [providerExpired, ["EXPIRED_EXPIRED", "EXPIRED_DLR_UNKNOWN"]],
]);

export const infobipErrors = errorTable([
  [
    invalidRecipient,
    [
      ...[
        "EC_UNKNOWN_SUBSCRIBER",
        "EC_UNIDENTIFIED_SUBSCRIBER",
        "EC_ILLEGAL_SUBSCRIBER",
        "EC_ILLEGAL_EQUIPMENT",
      ],
      ...["EC_UNKNOWN_EQUIPMENT", "EC_TELESERVICE_NOT_PROVISIONED", "EC_BEARER_SERVICE_NOT_PROVISIONED"],
      ...["EC_INVALID_DESTINATION_ADDRESS", "EC_INVALID_REQUEST_DESTINATION", "EC_OPERATOR_NOT_FOUND"],
      ...[
        "EC_DESTINATION_NOT_SMS_PROVISIONED",
        "EC_DEST_ADDRESS_UNABLE_TO_RECEIVE_SMS",
        "EC_DEACTIVATED_LIST",
      ],
      ...[
        "EC_UNKNOWN_USER",
        "EC_CANNOT_RECEIVE_SC",
        "EC_INTERACTION_NOT_SUPPORTED",
        "EC_USER_IDENTITY_CHANGED",
      ],
    ],
  ],
  [
    recipientUnreachable,
    [
      ...[
        "EC_ABSENT_SUBSCRIBER",
        "EC_ABSENT_SUBSCRIBER_SM",
        "EC_MEMORY_CAPACITY_EXCEEDED",
        "EC_ROAMING_NOT_ALLOWED",
      ],
      ...["EC_SM_DF_MEMORYCAPACITYEXCEEDED", "EC_SUBSCRIBER_BUSY_FOR_MT_SMS", "EC_MESSAGE_WAITING_LIST_FULL"],
      ...["EC_SM_DELIVERY_FAILURE", "EC_SM_DF_EQUIPMENTPROTOCOLERROR", "EC_SM_DF_EQUIPMENTNOTSM_EQUIPPED"],
      ...["EC_SM_DF_UNKNOWNSERVICECENTRE", "EC_SM_DF_SC_CONGESTION", "EC_SM_DF_INVALIDSME_ADDRESS"],
      ...["EC_SM_DF_SUBSCRIBERNOTSC_SUBSCRIBER", "EC_FACILITY_NOT_SUPPORTED", "EC_UNKNOWN_BASE_STATION"],
      ...[
        "EC_DEST_ADDRESS_SUSPENDED",
        "EC_USER_OUT_OF_CREDIT",
        "EC_TEMPORARY_HANDSET_FAILURE",
        "EC_DEST_OVERLOADED",
      ],
      ...["EC_UNSUPPORTED_DEVICE", "EC_UNSUPPORTED_MOBILE_APP_VERSION", "EC_DEVICE_REPRODUCTION_ERROR"],
      ...["EC_NO_RADIO_RESOURCE_AVAILABLE", "EC_SS_INCOMPATIBILITY", "EC_OR_REMOTENODENOTREACHABLE"],
    ],
  ],
  [
    recipientBlocked,
    [
      ...[
        "EC_CALL_BARRED",
        "EC_CUG_REJECT",
        "EC_DEST_ADDRESS_BLACKLISTED",
        "EC_BLACKLISTED_DESTINATIONADDRESS",
      ],
      ...["EC_DESTINATION_BLOCKED_BY_OPERATOR", "EC_BLOCKED_USER", "EC_TEMPLATE_BLOCKED_BY_USER"],
      ...["EC_IMSI_BLACKLISTED", "EC_SC_BLOCKED_FOR_END_USER", "EC_BLOCKED_BY_CAMPAIGN_BLACKLIST"],
      ...["EC_BLOCKED_NEW_SUBSCRIPTIONS_FOR_SC", "EC_PREFERENCE_NOT_MATCHED", "EC_CONSENT_FAILED"],
      ...["EC_SE_CATEGORY_BLOCK"],
    ],
  ],
  [optedOut, ["EC_SC_BLOCKED_BY_END_USER", "EC_CONTENT_BLOCKED", "EC_MARKETING_OPT_OUT"]],
  [marketingLimited, ["EC_FREQUENCY_CAPPING"]],
  [outsideConversation, ["EC_NO_SESSION"]],
  [
    templateRejected,
    [
      ...[
        "EC_INVALID_TEMPLATE",
        "EC_INVALID_TEMPLATE_ARGS",
        "EC_TEMPLATE_NOT_AVAILABLE",
        "EC_INVALID_WA_FLOW",
      ],
      ...[
        "EC_TEMPLATE_BLOCKED_BY_DLT",
        "EC_TEMPLATE_NOT_FOUND",
        "EC_TEMPLATE_INACTIVE",
        "EC_TEMPLATE_BLACKLISTED",
      ],
      ...[
        "EC_TEMPLATE_NOT_MATCHED",
        "EC_TEMPLATE_VARIABLE_EXCEEDED_MAX_LENGTH",
        "EC_ERROR_IDENTIFYING_TEMPLATE",
      ],
      ...["EC_INVALID_TEMPLATE_ID", "EC_TEMPLATE_NOT_REGISTERED_TO_ENTITY", "EC_INVALID_TEMPLATE_TYPE"],
      ...["EC_PROMOTIONAL_TEMPLATE_USED_ON_OTHERS_HEADER", "EC_HEADER_NOT_REGISTERED_FOR_TEMPLATE"],
      ...["EC_TEMPLATE_SUSPENDED_DUE_TO_VALIDITY", "EC_TEMPLATE_SUSPENDED_DUE_TO_USAGE"],
      ...["EC_TEMPLATE_SUSPENDED_DUE_TO_CUSTOMER"],
    ],
  ],
  [
    senderRejected,
    [
      ...[
        "EC_BLACKLISTED_SENDERADDRESS",
        "EC_INVALID_SOURCE_ADDRESS",
        "EC_SENDER_NOT_REGISTERED",
        "EC_SC_EXPIRED",
      ],
      ...[
        "EC_CONFIGURATION_ERROR",
        "EC_SOURCE_ADDRESS_IS_BLOCKED",
        "EC_TF_NUMBER_NOT_VERIFIED",
        "EC_SC_BLOCKED",
      ],
      ...["EC_SC_NOT_PROVISIONED", "EC_CAMPAIGN_ID_REJECTED", "EC_CAMPAIGNID_NOT_PROVISIONED"],
      ...[
        "EC_INVALID_GLOBAL_CAMPAIGN_ID",
        "EC_MISSING_SENDER_METADATA",
        "EC_BAD_ORIGIN",
        "EC_ILLEGAL_TRAFFIC_TYPE",
      ],
      // India's registers of senders (DLT).
      ...["EC_BLOCKED_BY_DLT", "EC_SENDER_BLOCKED_BY_DLT", "EC_TELEMARKETER_BLOCKED_BY_DLT"],
      ...[
        "EC_ENTITY_BLOCKED_BY_DLT",
        "EC_ENTITY_NOT_FOUND",
        "EC_ENTITY_NOT_REGISTERED",
        "EC_ENTITY_INACTIVE",
      ],
      ...["EC_ENTITY_BLACKLISTED", "EC_INVALID_ENTITY_ID", "EC_ENTITY_ID_NOT_ALLOWED_FOR_TM"],
      ...["EC_TELEMARKETER_NOT_REGISTERED", "EC_TELEMARKETER_INACTIVE", "EC_TELEMARKETER_BLACKLISTED"],
      ...[
        "EC_HEADER_NOT_FOUND",
        "EC_HEADER_INACTIVE",
        "EC_HEADER_BLACKLISTED",
        "EC_PEID_NOT_MATCHED_WITH_HEADER",
      ],
      ...["EC_HEADER_IN_FREEPOOL", "EC_HEADER_SUSPENDED_DUE_TO_VALIDITY", "EC_HEADER_SUSPENDED_DUE_TO_USAGE"],
      ...["EC_HEADER_SUSPENDED_DUE_TO_CUSTOMER", "EC_TLV_PEID_NOT_FOUND", "EC_TLV_TMPID_NOT_FOUND"],
      ...["EC_PE_TM_HASH_NOT_RECEIVED", "EC_PE_TM_HASH_NOT_REGISTERED", "EC_PE_TM_HASH_INACTIVE"],
      ...["EC_PE_TM_HASH_BLACKLISTED", "EC_PE_TM_HASH_SUSPENDED"],
    ],
  ],
  [badCredentials, ["EC_UNAUTHORIZED_ACCESS", "EC_ACCOUNT_ACCESS_DENIED", "EC_FORBIDDEN_ACCESS"]],
  [
    accountRestricted,
    [
      ...["EC_ACCOUNT_ISSUE", "EC_SPAM_RATE", "EC_LIMITED_FUNCTIONALITY", "EC_SERVICE_NOT_ACTIVATED"],
      ...["EC_INVALID_WA_ACCOUNT_TYPE", "EC_UNKNOWN_APPLICATION", "EC_EXCEEDED_THE_TIME_LIMIT_OF_SMS_DEMO"],
      ...["EC_EXCEEDED_THE_MAX_NUMBER", "EC_ACC_NOT_PROVISIONED_TO_SMS_DEMO_SC"],
    ],
  ],
  [outOfFunds, ["EC_PROVIDER_BILLING_ERROR", "EC_MONTHLY_LIMIT_REACHED"]],
  [
    rateLimited,
    [
      ...["EC_TOO_MANY_REQUESTS", "EC_LIMIT_REACHED", "EC_QUOTA_REACHED", "EC_10DLC_LIMIT_REACHED"],
      ...["EC_SIGNALS_HARD_LIMIT_REACHED", "EC_MESSAGE_TYPE_EXHAUSTED"],
    ],
  ],
  [unavailable, ["EC_TEMPLATE_NOT_SYNCED", "EC_TEMPORARY_GATEWAY_ERROR", "EC_NOT_ALLOWED_SENDING_TIME"]],
  [unavailable, ["EC_INVALID_PROMO_TIME"]],
  [recipientNotVerified, ["EC_DEST_ADDRESS_NOT_IN_SMS_DEMO"]],
  [
    regionNotEnabled,
    ["EC_ACCOUNT_NOT_PROVISIONED_FOR_CHANNEL", "EC_ACC_HAS_NO_ADRESS_FOR_DESR", "EC_UNKNOWN_MOBILE_OPERATOR"],
  ],
  [
    contentRejected,
    [
      "EC_MSG_TEXT_TOO_LONG",
      "EC_BLOCKED_CONTENT",
      "EC_MEDIA_UNSUPPORTED",
      "EC_UNKNOWN_ALPHABET",
      "EC_CTA_NOT_WHITELISTED",
    ],
  ],
  [mediaUnavailable, ["EC_MEDIA_HOSTING_ERROR", "EC_MEDIA_UPLOAD_ERROR", "EC_MEDIA_METADATA_ERROR"]],
  [
    contentFiltered,
    [
      ...["EC_REJECTED_SPAM_BY_OPERATOR", "EC_CONTENT_BLOCKED_BY_OPERATOR", "EC_DESTINATION_FLOODING"],
      ...[
        "EC_DESTINATION_TXT_FLOODING",
        "EC_SIGNALS_BLOCKED",
        "EC_INVALIDMSCADDRESS",
        "EC_DUPLICATE_MESSAGE",
      ],
      ...["EC_SMS_REJECTED_BY_MOBILE_OPERATOR"],
    ],
  ],
  [
    providerExpired,
    [
      ...[
        "EC_VP_EXPIRED",
        "EC_VALIDITY_EXPIRED",
        "EC_VALIDITYEXPIRED",
        "EC_MESSAGE_EXPIRED",
        "EC_MESSAGE_CANCELED",
      ],
      ...["EC_TIME_OUT", "EC_DLT_SCRUBBING_TIMEOUT"],
    ],
  ],
  [
    requestRefused,
    ["EC_INVALID_REQUEST_TYPE", "EC_INVALID_PDU_FORMAT", "EC_BAD_REQUEST", "EC_DATA_MISMATCH"],
  ],
  [requestRefused, ["EC_INTERNAL_BAD_MAPPING"]],
  [
    providerFault,
    [
      ...[
        "EC_SYSTEM_FAILURE",
        "EC_DATA_MISSING",
        "EC_UNEXPECTED_DATA_VALUE",
        "EC_UNKNOWN_ERROR",
        "EC_NO_RESPONSE",
      ],
      ...["EC_RESOURCE_LIMITATION", "EC_INVALID_RESPONSE_RECEIVED", "EC_MOBILE_OPERATOR_NETWORK_ERROR"],
      ...["EC_FAILED_MESSAGE_DELIVERY", "EC_MESSAGE_SUBMITTED_NOT_ACKED", "EC_NOTSUBMITTEDTOGMSC"],
      ...[
        "EC_NOTSUBMITTEDTOSMPPCHANNEL",
        "EC_PROVIDER_INTERNAL_ERROR",
        "EC_PROVIDER_TIMEOUT",
        "EC_PROVIDER_DR_ERROR",
      ],
      ...["EC_INTERNAL_ERROR", "EC_DEPLOYMENT_CONFIGURATION_ERROR", "EC_SCRUBBING_FAILED"],
      ...[
        "EC_CONTENT_MULTIPART_INCOMPLETE_BY_DLT",
        "EC_PROVIDER_GENERAL_ERROR",
        "EC_SERVICE_COMPLETION_FAILURE",
      ],
      ...["EC_UNEXPECTED_RESPONSE_FROM_PEER", "EC_MISTYPED_PARAMETER", "EC_NOT_SUPPORTED_SERVICE"],
      ...["EC_DUPLICATED_INVOKE_ID"],
    ],
  ],
]);

export const infobipLeftOut: readonly LeftOut[] = [
  { codes: ["NO_ERROR"], why: "nothing failed" },
  { codes: ["NO_ANSWER", "BUSY", "CANCELLED", "REJECTED"], why: "calls" },
  { codes: [DUPLICATE], why: "asked for before this table: the message with the same id counts" },
  { codes: ["UNDELIVERABLE_NOT_DELIVERED"], why: "says no more than that it was not delivered" },
  { codes: ["EC_ACC_NOT_2_WAY", "EC_CALL_PERMISSION_REQUEST_FAILED"], why: "what is not done here" },
  { codes: ["EC_PHONE_MATCHING_DISABLED"], why: "Facebook Messenger, which is no channel here" },
  { codes: ["EC_DUPLICATE_REQUEST"], why: "a repetition of a message that was taken: nothing failed" },
];

/** Of faults between the networks of operators, which have a name for each layer. */
const NETWORK_FAULTS = /^EC_(?:OR|NNR|UA|PA|NC)_[A-Z_]{1,60}$/;

/** What a report's error, or else its status, means; undefined for names that we do not know. */
export function infobipFailure(status: string, error: string): KnownFailure | undefined {
  const ofError = failureOf(infobipErrors, error) ?? (NETWORK_FAULTS.test(error) ? providerFault : undefined);
  return ofError ?? failureOf(infobipStatuses, status);
}
