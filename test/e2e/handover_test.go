//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// learningSpec asks for one pod, so that whatever is above that was learned.
const learningSpec = `{replicas: {min: 1, max: 20}, learn: {}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`

// recording writes an object of the name web with learningSpec, and a recording
// of two weeks with eight pods, and returns the arguments that name them.
func (p *place) recording() []string {
	p.t.Helper()
	var text strings.Builder
	text.WriteString("time,value\n")
	now := time.Now().UTC()
	for at := now.Add(-14 * 24 * time.Hour); at.Before(now); at = at.Add(30 * time.Minute) {
		fmt.Fprintf(&text, "%s,8\n", at.Format(time.RFC3339))
	}
	folder := p.t.TempDir()
	object, past := filepath.Join(folder, "web.yaml"), filepath.Join(folder, "past.csv")
	manifest := fmt.Sprintf("{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, metadata: {name: web, namespace: %s}, "+
		"spec: %s}", p.name, learningSpec)
	for path, content := range map[string]string{object: manifest, past: text.String()} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	return []string{"learn", "-f", object, "--history", past}
}

// TestLearningIsHandedOver: an object that runs is given a recording, and knows
// at once that half of the eight pods of then are the least there should be.
func TestLearningIsHandedOver(t *testing.T) {
	p := newPlace(t)
	p.queue("10")
	p.workload("web", 2)
	share(t)
	p.autoscaler("web", learningSpec)
	p.eventuallyHas("web", 1)
	tidemark(t, append(p.recording(), "--apply")...)
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "LearnedMin"))
	var stored v1alpha1.WorkloadHistory
	var obj v1alpha1.WorkloadAutoscaler
	if err := p.get(&obj, "web"); err != nil {
		t.Fatal(err)
	}
	if err := p.get(&stored, "web"); err != nil {
		t.Fatal(err)
	}
	if owner := metav1.GetControllerOf(&stored); owner == nil || owner.UID != obj.UID {
		t.Errorf("the history belongs to %+v", owner)
	}
}

// TestLearningBeginsWithAManifest: a history that is there before its object is
// what the object begins with.
func TestLearningBeginsWithAManifest(t *testing.T) {
	p := newPlace(t)
	p.queue("10")
	p.workload("web", 1)
	share(t)
	stored := &v1alpha1.WorkloadHistory{}
	if err := yaml.UnmarshalStrict([]byte(tidemark(t, append(p.recording(), "-o", "manifest")...)), stored); err != nil {
		t.Fatal(err)
	}
	if err := world.Create(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	p.autoscaler("web", learningSpec)
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "LearnedMin"))
}

// TestHistoryOfAnotherIsRefused: it says so, and is left alone; the workload is
// scaled all the same. Handing one over needs it gone first.
func TestHistoryOfAnotherIsRefused(t *testing.T) {
	p := newPlace(t)
	p.queue("30")
	p.workload("web", 1)
	share(t)
	var owner appsv1.Deployment
	if err := p.get(&owner, "web"); err != nil {
		t.Fatal(err)
	}
	stored := &v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: "web",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: owner.UID}}}}
	if err := world.Create(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	p.autoscaler("web", learningSpec)
	p.eventuallyHas("web", 3)
	const why = "it belongs to the Deployment web"
	eventually(t, patience, p.shows("web", "HistoryKept", "False", "HistoryRefused", why))
	eventually(t, patience, p.told("web", "Warning HistoryRefused: the WorkloadHistory "+p.name+"/web is not used"))
	if err := world.Delete(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	tidemark(t, append(p.recording(), "--apply")...)
	p.queue("10")
	p.eventuallyHas("web", 4)
	eventually(t, patience, func() error {
		status, err := p.status("web")
		if err == nil && strings.Contains(summary(status), why) {
			err = fmt.Errorf("it still says %q: %s", why, summary(status))
		}
		return err
	})
}
