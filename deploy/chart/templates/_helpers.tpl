{{- define "tidings.labels" -}}
app.kubernetes.io/name: tidings
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "tidings.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tidings.secret" -}}
{{ .Values.existingSecret | default (printf "%s-secrets" .Release.Name) }}
{{- end }}

{{/* One key of the Secret as a variable: each part gets what it needs, and no more. */}}
{{- define "tidings.fromSecret" -}}
- name: {{ .key }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      optional: {{ .optional | default false }}
{{- end }}

{{/* Keys that the Secret may have besides; what `env` sets comes from there. */}}
{{- define "tidings.fromSecretIfThere" -}}
{{- range .keys }}
{{- if not (hasKey $.root.Values.env .) }}
{{ include "tidings.fromSecret" (dict "key" . "secret" $.secret "optional" true) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "tidings.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "tidings.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "tidings.mounts" -}}
- { name: scratch, mountPath: /tmp, subPath: tmp }
- { name: scratch, mountPath: /app/.next/cache, subPath: next }
- { name: scratch, mountPath: /app/node_modules/.cache, subPath: compile }
- { name: scratch, mountPath: /app/.data, subPath: data }
{{- end }}

{{- define "tidings.env" -}}
- name: PUBLIC_URL
  value: {{ required "Say where people reach it: publicUrl" .Values.publicUrl | quote }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
