package operator

import (
	"fmt"
	"io"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
)

// TestLeases: controllers of one shard compete, those of different shards do not.
func TestLeases(t *testing.T) {
	c := config.Default()
	if got := leaseOf(c); got != "tidemark-controller" {
		t.Errorf("got %s", got)
	}
	c.Shard = "1/3"
	if got := leaseOf(c); got != "tidemark-controller-1-of-3" {
		t.Errorf("got %s", got)
	}
}

// TestProfilesStayHere: they are off by default and never served to others.
func TestProfilesStayHere(t *testing.T) {
	if got := pprofAddress(config.Default().Pprof); got != "" {
		t.Errorf("by default: %s", got)
	}
	if got := pprofAddress(config.Pprof{Enabled: true, Port: 6060}); got != "127.0.0.1:6060" {
		t.Errorf("got %s", got)
	}
}

func TestLogger(t *testing.T) {
	for level, debug := range map[string]bool{"debug": true, "info": false, "error": false} {
		for _, format := range []string{"json", "text"} {
			log, err := newLogger(config.Log{Level: level, Format: format}, io.Discard)
			if err != nil || log.V(1).Enabled() != debug {
				t.Errorf("%s %s: %v, debug is %v", level, format, err, log.V(1).Enabled())
			}
		}
	}
	if _, err := newLogger(config.Log{Level: "loud"}, io.Discard); err == nil {
		t.Error("any level is taken")
	}
}

// TestScheme: every kind that is read or written is known.
func TestScheme(t *testing.T) {
	scheme, err := Scheme()
	if err != nil {
		t.Fatal(err)
	}
	for _, obj := range []client.Object{&v1alpha1.WorkloadAutoscaler{}, &v1alpha1.WorkloadHistory{}, &autoscalingv2.HorizontalPodAutoscaler{}, &corev1.Pod{}} {
		t.Run(fmt.Sprintf("%T", obj), func(t *testing.T) {
			if _, _, err := scheme.ObjectKinds(obj); err != nil {
				t.Error(err)
			}
		})
	}
}
