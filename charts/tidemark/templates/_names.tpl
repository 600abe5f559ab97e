{{/*
An object from a file that the kustomize base has too, in the namespace of the
release. It takes the root and the path of the file.
*/}}
{{- define "tidemark.file" -}}
{{ (index . 0).Files.Get (index . 1) | replace "tidemark-system" (index . 0).Release.Namespace }}
{{- end -}}

{{/*
The name of the controller of a shard. A single one needs no number.
*/}}
{{- define "tidemark.controller" -}}
{{- $root := index . 0 -}}
tidemark{{ if gt (int $root.Values.shards) 1 }}-{{ index . 1 }}{{ end }}
{{- end -}}

{{/*
The labels that select the pods of a shard.
*/}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
{{- if gt (int (index . 0).Values.shards) 1 }}
tidemark.dev/shard: {{ index . 1 | quote }}
{{- end }}
{{- end -}}

{{/*
The image: by its digest too, unless a tag of one's own is given.
*/}}
{{- define "tidemark.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- if and $image.digest (not $image.tag) }}@{{ $image.digest }}{{ end }}
{{- end -}}
