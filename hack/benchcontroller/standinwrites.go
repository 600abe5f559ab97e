package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// takeStatus takes the status of an object, and tells those who watch.
func (s *standIn) takeStatus(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kinds[s.objects]
	got := s.empty.DeepCopyObject().(client.Object)
	if err := json.NewDecoder(r.Body).Decode(got); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	i := k.byName[client.ObjectKeyFromObject(got)]
	next := k.objects[i].DeepCopyObject().(client.Object)
	switch next := next.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		next.Status = got.(*v1alpha1.WorkloadAutoscaler).Status
	case *autoscalingv2.HorizontalPodAutoscaler:
		next.Status = got.(*autoscalingv2.HorizontalPodAutoscaler).Status
	}
	s.version++
	next.SetResourceVersion(fmt.Sprint(s.version))
	k.objects[i] = next
	for news := range k.watchers {
		news <- next
	}
	_ = json.NewEncoder(w).Encode(next)
}

// writeScale says how many pods a workload has, which is what the HPA controller begins
// a look with.
func (s *standIn) writeScale(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, deploymentsIn), "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	k, key := s.kinds[deploymentsPath], client.ObjectKey{Namespace: parts[0], Name: parts[len(parts)-2]}
	i, is := k.byName[key]
	if !is {
		notFound(w)
		return
	}
	d := k.objects[i].(*appsv1.Deployment)
	if r.Method == http.MethodGet {
		s.looks[key.String()] = append(s.looks[key.String()], time.Now())
	}
	_ = json.NewEncoder(w).Encode(autoscalingv1.Scale{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name, ResourceVersion: d.ResourceVersion, UID: d.UID},
		Spec:       autoscalingv1.ScaleSpec{Replicas: *d.Spec.Replicas},
		Status:     autoscalingv1.ScaleStatus{Replicas: d.Status.Replicas, Selector: metav1.FormatLabelSelector(d.Spec.Selector)},
	})
}

// writeUsage says what all pods use, those of a namespace, or those of a workload.
func (s *standIn) writeUsage(w http.ResponseWriter, r *http.Request) {
	rest, within := strings.CutPrefix(r.URL.Path, usagePath+"namespaces/")
	namespace, _, _ := strings.Cut(rest, "/")
	s.mu.Lock()
	pods := s.kinds[podsPath]
	all := pods.objects
	if app, one := strings.CutPrefix(r.URL.Query().Get("labelSelector"), "app="); one {
		from := pods.byName[client.ObjectKey{Namespace: namespace, Name: podOf(app, 0)}]
		all = all[from : from+s.fleet.pods] // those of a workload were made in a row
	}
	s.mu.Unlock()
	now := time.Now().UTC().Format(time.RFC3339)
	fmt.Fprint(w, `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[`)
	comma := ""
	for _, p := range all {
		if within && p.GetNamespace() != namespace {
			continue
		}
		fmt.Fprint(w, comma)
		comma = ","
		fmt.Fprintf(w, `{"metadata":{"namespace":%q,"name":%q},"timestamp":%q,"window":"15s","containers":[{"name":"app","usage":{"cpu":%q,"memory":%q}}]}`,
			p.GetNamespace(), p.GetName(), now, s.fleet.used.cpu, s.fleet.used.memory)
	}
	fmt.Fprint(w, "]}")
}

// podOf names the i-th pod of a workload.
func podOf(workload string, i int) string { return fmt.Sprintf("%s-1-%d", workload, i) }
