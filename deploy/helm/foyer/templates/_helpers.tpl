{{- define "foyer.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "foyer.labels" -}}
app.kubernetes.io/name: foyer
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "foyer.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "foyer.secretName" -}}
{{ .Values.existingSecret | default (printf "%s-secret" (include "foyer.name" .)) }}
{{- end -}}

{{- define "foyer.databaseSecretName" -}}
{{ .Values.database.existingSecret | default (printf "%s-database" (include "foyer.name" .)) }}
{{- end -}}

{{- define "foyer.env" -}}
- name: FOYER_BASE_URL
  value: {{ .Values.baseUrl | quote }}
- name: FOYER_DRAIN_S
  value: {{ .Values.drainSeconds | quote }}
- name: FOYER_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ include "foyer.secretName" . }}
      key: FOYER_SECRET
# While the secret is rotated.
- name: FOYER_SECRET_OLD
  valueFrom:
    secretKeyRef:
      name: {{ include "foyer.secretName" . }}
      key: FOYER_SECRET_OLD
      optional: true
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "foyer.databaseSecretName" . }}
      key: DATABASE_URL
# An existing Secret may have these keys.
{{- if or .Values.database.directUrl .Values.database.existingSecret }}
- name: DATABASE_DIRECT_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "foyer.databaseSecretName" . }}
      key: DATABASE_DIRECT_URL
      optional: true
{{- end }}
{{- if or .Values.database.replicaUrl .Values.database.existingSecret }}
- name: DATABASE_REPLICA_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "foyer.databaseSecretName" . }}
      key: DATABASE_REPLICA_URL
      optional: true
{{- end }}
{{- with .Values.serviceMonitor.tokenSecret }}
- name: FOYER_METRICS_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: FOYER_METRICS_TOKEN
{{- end }}
{{- if or .Values.redis.url .Values.redis.existingSecret }}
- name: REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.redis.existingSecret | default (printf "%s-redis" (include "foyer.name" .)) }}
      key: REDIS_URL
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* A deployment. Takes the root, the component's name, its role and its values. */}}
{{- define "foyer.deployment" -}}
{{- $root := .root -}}
{{- $pods := .pods -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "foyer.name" $root }}-{{ .component }}
  labels:
    {{- include "foyer.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scales }}
  replicas: {{ $pods.replicas }}
  {{- end }}
  # The next pod serves before one stops.
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      app.kubernetes.io/name: foyer
      app.kubernetes.io/instance: {{ $root.Release.Name }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- include "foyer.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      annotations:
        # A changed secret replaces the pods.
        checksum/secrets: {{ include (print $root.Template.BasePath "/secrets.yaml") $root | sha256sum }}
    spec:
      # The time of draining, and 10 seconds to finish.
      terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds 15 }}
      automountServiceAccountToken: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        fsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app.kubernetes.io/name: foyer
              app.kubernetes.io/instance: {{ $root.Release.Name }}
              app.kubernetes.io/component: {{ .component }}
      containers:
        - name: foyer
          image: {{ include "foyer.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            - name: FOYER_ROLE
              value: {{ .role }}
            {{- include "foyer.env" $root | nindent 12 }}
          {{- with $root.Values.envFrom }}
          envFrom:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - name: http
              containerPort: 3000
          # Migrations may take long. Afterwards a process that doesn't answer is replaced.
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 3
            failureThreshold: 200
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 3
            timeoutSeconds: 4
            failureThreshold: 1
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          resources:
            {{- toYaml $pods.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      # The lock of the process and nothing else: the secret comes from the environment.
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
      {{- with $pods.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $pods.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $pods.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
