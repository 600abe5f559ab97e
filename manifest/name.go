package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxNameStem leaves room for a hash behind it in a name of 63 characters,
// which is short enough for a label too.
const maxNameStem = 54

// generatedName is the target's name where that is a legal name of an object.
// Otherwise it is what is left of it, and a hash that keeps two targets apart
// whose names differ in the rest.
func generatedName(target string) string {
	if target == "" || len(validation.IsDNS1123Subdomain(target)) == 0 {
		return target
	}
	stem := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(target))
	stem = strings.Trim(stem[:min(len(stem), maxNameStem)], "-")
	sum := sha256.Sum256([]byte(target))
	hash := hex.EncodeToString(sum[:4])
	if stem == "" {
		return "autoscaler-" + hash
	}
	return stem + "-" + hash
}

// complete fills in what can only be meant one way.
func (a Autoscaler) complete() Autoscaler {
	a.Target = a.Target.withVersion()
	a.Name = cmp.Or(a.Name, generatedName(a.Target.Name))
	a.Namespace = cmp.Or(a.Namespace, a.Target.namespace)
	metrics := make([]Metric, len(a.Metrics))
	for i, m := range a.Metrics {
		metrics[i] = m.withName()
	}
	a.Metrics = metrics
	return a
}
