package strict

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/scale"
)

// leaves are the types whose own readers explain too little, or trust their
// input too much.
var leaves = map[reflect.Type]leafReader{
	reflect.TypeFor[resource.Quantity](): readQuantity,
	reflect.TypeFor[time.Time]():         readTime,
	reflect.TypeFor[metav1.Time]():       readTime,
	reflect.TypeFor[metav1.MicroTime]():  readTime,
	reflect.TypeFor[metav1.Duration]():   readDuration,
}

// readQuantity accepts what both our own parser and Kubernetes' understand.
func readQuantity(n *yaml.Node) (any, string) {
	if !isText(n) && !isNumber(n) {
		return nil, "must be a quantity such as 500m, 2 or 4Gi, got " + got(n)
	}
	if _, err := scale.ParseAmount(n.Value); err != nil {
		return nil, fmt.Sprintf("%s %v", got(n), err)
	}
	if hostileExponent(n.Value) {
		return nil, fmt.Sprintf("%s has too large an exponent: write at most e%d or e-%d", got(n), maxExponent, maxExponent)
	}
	if _, err := resource.ParseQuantity(n.Value); err != nil {
		return nil, fmt.Sprintf("%s %v", got(n), scale.ErrNotQuantity)
	}
	return n.Value, ""
}

// maxExponent is the largest power of ten, up or down, that a quantity's
// suffix can mean.
const maxExponent = 18

// hostileExponent tells whether a quantity's power of ten lies beyond any
// suffix. Kubernetes' parser takes time in proportion to such a power.
func hostileExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 || at == len(text)-1 {
		return false
	}
	power, err := strconv.Atoi(text[at+1:])
	return err == nil && (power > maxExponent || power < -maxExponent)
}

func readTime(n *yaml.Node) (any, string) {
	if isText(n) {
		t, err := time.Parse(time.RFC3339, n.Value)
		// JSON has no years beyond 9999, and a time zone can lead there. Go's
		// zero time means that there is none, so nobody may write it.
		if year := t.UTC().Year(); err == nil && year >= 1 && year <= 9999 && !t.IsZero() {
			return n.Value, ""
		}
	}
	return nil, "must be a time such as 2026-01-05T10:00:00Z (RFC 3339), got " + got(n)
}

func readDuration(n *yaml.Node) (any, string) {
	if isText(n) {
		if _, err := time.ParseDuration(n.Value); err == nil {
			return n.Value, ""
		}
	}
	return nil, "must be a duration such as 30s or 5m, got " + got(n)
}
