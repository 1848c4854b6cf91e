/**
 * A stand-in for Amazon SNS: signs messages as a topic does, with a certificate of its own that is worthless elsewhere.
 */
import { createSign } from "node:crypto";

export const SNS_TOPIC = "arn:aws:sns:eu-central-1:123456789012:tidings-events";
export const SNS_CERTIFICATE_URL =
  "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

export const SNS_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUajuzbrmHcRJWAC3Ir0BJ6iJlZrowDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTIyMDEwOTEy
WhgPMjEyNjEwMjkwMTA5MTJaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA43LK6RjryFjQP7KTbOz7
vibpwI4v2GkENWYGI3II2dHtUCVx8vhMI5fWA2aucGcaUHTX2OfrXZpZPJt0x2kz
lyA9yk2V8b2A1IRB/YtHkbSSUG4RUar9Mu9+Dw2J70MY4EKkOaahZwWXIRZeLngM
BzFNM7N8wo4FLLQPcs+dAwWjwfltYQcibL6Eez6xzM1FLgjUYupdieg53aI+UcWX
Mf/Eq5RPpGw/RrFz8zliDB/sN+PCp2pNkgI30iUYahzukJDne92qHyRQyp5Elcc1
12VUIqdZUPU4JJ8GDaneJVa4EtvH/Qzsn78Ai6f6KG9pX5RuDW2q4DklEbvQZRd9
6QIDAQABo1MwUTAdBgNVHQ4EFgQUrHIxT4aqCyX2Om5IKFJOAxrcWOMwHwYDVR0j
BBgwFoAUrHIxT4aqCyX2Om5IKFJOAxrcWOMwDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEAZBVWrqjkXuaUq4t1gZ+dqnXpRCXODjxvsde2SDM6eXOm
lo/Bcv9grhaF38h+1GaVGpxH+hpBCYA8uUsnBzXCyyD7DJQtUOjqRh7+7pw2t2eP
tiNy2ncP4I2ZX8fitcAPVzZJ6waW4NQyHCVhEmGnHoTjiJxgCDyooDJZT51AMF4k
f9lUTq+ZlW+fSWQoyR8AE15zn5pfvrSDngZp3ASkEgPx5/AKzjPydiGuS/taD1IK
I+hjhwk+R5kMWRussE+ce2tb6L2jvCnBiWc6suZhynxNyp8mIVoIwYbWN7e0OEl3
qKpnH0YmZr+6WbUhX7xFzY6GxBZjthQLuP5QNOpC9Q==
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDjcsrpGOvIWNA/
spNs7Pu+JunAji/YaQQ1ZgYjcgjZ0e1QJXHy+Ewjl9YDZq5wZxpQdNfY5+tdmlk8
m3THaTOXID3KTZXxvYDUhEH9i0eRtJJQbhFRqv0y734PDYnvQxjgQqQ5pqFnBZch
Fl4ueAwHMU0zs3zCjgUstA9yz50DBaPB+W1hByJsvoR7PrHMzUUuCNRi6l2J6Dnd
oj5RxZcx/8SrlE+kbD9GsXPzOWIMH+w348Knak2SAjfSJRhqHO6QkOd73aofJFDK
nkSVxzXXZVQip1lQ9TgknwYNqd4lVrgS28f9DOyfvwCLp/oob2lflG4NbargOSUR
u9BlF33pAgMBAAECggEAHxwgbOmftnOPaGcAizGO7V9dMZ1BJhSXIsalqEt8sm5o
S0IT5+vWXjfyadytl2pCyyZwL5bpNpBaDFQnEO9uwwkB6p3aGIqXCHpenFNkoqVU
LfQgIk+E+maPk3eCmltPF72FwOztvq2hEkGA+FIrMwCnUp8GPYY3Zvnp8wY6r6Lf
x6vc4DLcW0YxcbPskGaQc+Rk8IIhMOOxVySLNVLz30GhnE4Si3XNDeP/IpmsW0pY
f+DTDiSXrBHKgmOVLjDseya6yJmk7soVE/S2Rbj+YuNjsGOfTe8DmRtYH+XsBzXA
RMaHyUsn8sdJEty68GswcvqV4BTZFpER26j3/jyREQKBgQD65CN6BF4PQaMcKyrM
xLO//2NN0E1hOrJEpY1YIPz3/ZU7b4Vkz2FEPLGqt1q6i6Md/uy5u+N73Wt+pD/p
CzehQV4l45tZvTBIPXIdicqq1zhTZcYyt1RMAJQMawBdpPJ9mR8DfizmTSGyfxSp
CrTh/O2s2hARjgGNy6bOT4xtYwKBgQDoFHM8eG1Qc5LDIeNHuJ4CFbgfR1vwAAVY
Lfmk6MEMWZ0eBvK788Mcv0J4SBHcerLYNi9/S/Nnj/3q+wBFXgk1qR+fr6o5S3om
FH1PTVmG5EB2omWOvNxlHKXXnXaOLWgDV52QwJcbg98buXmtRU6qnzkt4D08sYqg
nsL/XX6/QwKBgES3g7gBxjlrgt9OO3TGU20859gCO49r4jPHHEWNE3xg6iTTULfh
zQRBk2/stF7vrAelMPVWLuJYLP8Mwax0tBHos36xLnWPyc+fdMf+W5IbTIQbFgQC
DoaaifI0xG7hpMEd1U7Bmk6hxZ78C46ZLh3PhtGXEFueh3Js2w0a4J19AoGBAMa/
HKCgkRzgnMK29qipFce7Sd6fgcBahDkrxirPmOM2qzLXyG/lJSYtNINFVOZ3vUkj
vjFJnb0GtvDQ2z6MdV6a4xYhnalLVePekCGloBHAzuPJ1ycR3bxJeEzZ8Hl5sSWL
lsgr5jwOBrb7c5RLUj8T9CexbT/Y21sKGvwN2Ul5AoGATxtbcnHiZahY1jWkUh6I
6J5bhidMoQCTER9/Mc31crjqJiJiTFaEiEE9Slm7VAal/KsIa+NyK6J9ZqU2Gjpg
oGWm3iNB70IpecfXBDyhz8X2xcXLlvoRpOVCqly06iusPZ8YRvVDpZmtnI7hkqUH
yLWLXkl3x6JOXbekWNkdIcQ=
-----END PRIVATE KEY-----
`;

/** The body of a post from SNS; `more` is set before it is signed, `version` chooses SHA-1 or SHA-256. */
export function snsBody(more: Record<string, string> = {}, version: "1" | "2" = "2"): Record<string, string> {
  const fields: Record<string, string> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: SNS_TOPIC,
    Message: "{}",
    Timestamp: new Date().toISOString(),
    SignatureVersion: version,
    SigningCertURL: SNS_CERTIFICATE_URL,
    UnsubscribeURL: "https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe",
    ...more,
  };
  const names =
    fields.Type === "Notification"
      ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
      : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const text = names
    .filter((name) => fields[name] !== undefined)
    .map((name) => `${name}\n${fields[name] ?? ""}\n`)
    .join("");
  const signer = createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256").update(text, "utf8");
  return { ...fields, Signature: signer.sign(KEY, "base64") };
}
