#!/usr/bin/env bash
# Copies into the Helm chart what it has in common with the kustomize base. A
# chart cannot read files outside of its folder.
set -euo pipefail
files=charts/tidemark/files
rm -rf "$files"
mkdir -p "$files/crd" "$files/crd-1.33" "$files/rbac" "$files/plain" "$files/optional"
cp config/crd/autoscaling.tidemark.dev_*.yaml "$files/crd/"
cp config/crd-1.33/autoscaling.tidemark.dev_*.yaml "$files/crd-1.33/"
for name in service-account role bindings more-kinds users; do cp "config/rbac/$name.yaml" "$files/rbac/"; done
cp config/kubelets/kubelets.yaml config/kubelets/kubelets-egress.yaml "$files/optional/"
cp config/node-autoscalers/publish-vpa.yaml config/node-autoscalers/deletion-cost.yaml "$files/optional/"
cp config/ui/ui-rights.yaml "$files/optional/"
cp config/manager/metrics-service.yaml config/manager/network-policy.yaml "$files/plain/"
cp config/webhook/certificate.yaml config/webhook/service.yaml config/webhook/webhook.yaml "$files/plain/"
