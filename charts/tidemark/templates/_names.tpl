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

{{/*
Every address but those at which clouds give out the credentials of a node. Some
networks do not take the addresses of pods for addresses, so pods are named as well.
*/}}
{{- define "tidemark.anywhere" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [169.254.0.0/16]
- ipBlock:
    cidr: ::/0
    except: [fe80::/10, fd00:ec2::254/128]
- namespaceSelector: {}
{{- end -}}

{{/*
Ways out, given as rules of a NetworkPolicy. One that does not say where it leads
would lead to those addresses too; one that says everywhere, by an empty list, does.
*/}}
{{- define "tidemark.egress" -}}
{{- $rules := list }}
{{- range . }}
{{- $rules = append $rules (hasKey . "to" | ternary . (merge (dict "to" (include "tidemark.anywhere" . | fromYamlArray)) .)) }}
{{- end }}
{{- toYaml $rules }}
{{- end -}}
