// Package install holds no code: its tests render the Helm chart and the
// kustomize base and show that both install the same objects, and Helm itself
// installs the chart on the real control plane. It is a module of its own, so
// that the product does not depend on Helm.
package install
