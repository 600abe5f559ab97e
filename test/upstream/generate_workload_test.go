package upstream

import (
	"errors"
	"fmt"
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
)

// Workload is a workload that lives: its pods start, fail and go, its load
// changes, people scale it by hand.
type Workload struct {
	World
	// Written is the HPA as its user wrote it, HPA as the API server stores it.
	Written, HPA *autoscalingv2.HorizontalPodAutoscaler

	dice   *Dice
	quirks quirks
	maker  *podMaker
	loads  []load
	lives  map[string]*life
	made   int
	// lag lets the status fall behind the pods.
	lag bool
	// Edited is set when the HPA itself has changed since the last sync.
	Edited bool
}

// maxPods is how many pods a workload really gets: beyond it the cluster is
// full. Upstream's own cost grows with pods, and few suffice.
const maxPods = 24

// NewWorkload rolls a workload.
func NewWorkload(d *Dice, namespace string, at time.Time) *Workload {
	w := &Workload{dice: d, Written: newHPA(d, namespace), lives: map[string]*life{}, lag: d.OneIn(3)}
	kind := Of(d, ordinary, ordinary, ordinary, ordinary, ordinary, ordinary, ordinary, ordinary, rateBound, rateBound, slope, sleeper, sleeper)
	if kind != ordinary {
		special(d, kind, &w.Written.Spec)
	}
	w.HPA = w.Written.DeepCopy()
	defaults.SetDefaults_HorizontalPodAutoscaler(w.HPA)
	w.quirks = quirks{phases: d.OneIn(4), readiness: d.OneIn(2), unmeasured: d.OneIn(4), initContainer: d.OneIn(8)}
	w.maker = newPodMaker(d, quirks{initContainer: w.quirks.initContainer}, at)
	w.Template = w.maker.template
	w.SpecReplicas = clampInt32(d.Between(int64(*w.HPA.Spec.MinReplicas), min(int64(w.HPA.Spec.MaxReplicas), 30)))
	for range w.HPA.Spec.Metrics {
		w.loads = append(w.loads, newLoad(d))
	}
	switch kind {
	case rateBound:
		w.loads[0].absolute, w.loads[0].exact = true, false
	case slope:
		w.loads[0] = load{level: d.Between(900, 1100), trend: Of[int64](d, -3, -5, -5, 5), absolute: true, steady: true}
	case sleeper:
		w.loads[0] = load{sleepy: true, absolute: true}
	}
	w.Answers = make([]Answer, len(w.loads))
	w.StatusReplicas = w.SpecReplicas
	return w
}

// Live moves the workload on to the moment of the next sync.
func (w *Workload) Live(at time.Time) {
	w.At = at
	w.Edited = w.dice.OneIn(100)
	if w.Edited {
		w.edit()
	}
	if w.dice.OneIn(50) || (w.SpecReplicas == 0 && w.dice.OneIn(8)) {
		w.SpecReplicas = clampInt32(Of(w.dice, w.dice.Upto(int64(w.HPA.Spec.MaxReplicas)+3), w.dice.Upto(30), 0))
	}
	w.followCount()
	for i, pod := range w.Pods {
		w.Pods[i] = w.lives[pod.Name].at(w, pod)
	}
	if !w.lag || w.dice.OneIn(3) {
		w.StatusReplicas = w.SpecReplicas
		if w.SpecReplicas <= maxPods {
			w.StatusReplicas = int32(len(w.Pods))
		}
	}
	w.Usage = nil
	for i := range w.loads {
		w.measure(i)
	}
}

// edit gives the HPA other bounds, as a person would. A workload that sleeps
// may so find itself below its minimum.
func (w *Workload) edit() {
	least, most := w.dice.bounds(w.HPA.Spec.Metrics)
	for _, hpa := range []*autoscalingv2.HorizontalPodAutoscaler{w.Written, w.HPA} {
		hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas = &least, most
	}
}

// followCount starts and stops pods.
func (w *Workload) followCount() {
	w.Pods = slices.DeleteFunc(w.Pods, func(pod *corev1.Pod) bool {
		gone := pod.DeletionTimestamp != nil && w.dice.OneIn(2)
		if gone {
			delete(w.lives, pod.Name)
		}
		return gone
	})
	staying := 0
	for i, pod := range w.Pods {
		if pod.DeletionTimestamp != nil {
			continue
		}
		if staying++; staying > int(w.SpecReplicas) {
			now := metav1.NewTime(w.At)
			w.Pods[i] = pod.DeepCopy()
			w.Pods[i].DeletionTimestamp = &now
		}
	}
	for ; staying < min(int(w.SpecReplicas), maxPods); staying++ {
		w.start()
	}
}

// start makes a pod.
func (w *Workload) start() {
	w.maker.at = w.At
	pod := w.maker.pod(w.made)
	pod.Namespace, pod.Labels = w.Written.Namespace, map[string]string{"app": "target"}
	pod.Name = fmt.Sprintf("pod-%d", w.made)
	w.made++
	w.lives[pod.Name] = newLife(w)
	pod.Status = corev1.PodStatus{}
	w.Pods = append(w.Pods, pod)
}

// measure rolls what the metrics APIs say of one metric.
func (w *Workload) measure(i int) {
	d, m, l, k := w.dice, &w.HPA.Spec.Metrics[i], &w.loads[i], marksOf(&w.HPA.Spec, &w.HPA.Spec.Metrics[i])
	l.move(d)
	w.Answers[i] = Answer{At: d.moment(quirks{}, w.At, 0)}
	if l.failing > 0 {
		w.Answers[i].Err = errors.New("the metrics API is down")
	}
	if perPod(m) {
		w.measurePods(i, k)
		return
	}
	goal := k.target
	if sourceOf(m).target.AverageValue != nil {
		goal = saturated(goal, int64(Of(d, w.StatusReplicas, w.SpecReplicas)))
		if l.absolute {
			goal = saturated(k.target, int64(min(w.HPA.Spec.MaxReplicas, 1500)))
		}
	}
	w.Answers[i].Series = []int64{l.value(d, goal, k)}
	if m.Type == autoscalingv2.ExternalMetricSourceType && !l.steady && d.OneIn(2) {
		w.Answers[i].Series = append(w.Answers[i].Series, d.Upto(goal/8+1))
	}
}

func (w *Workload) measurePods(i int, k marks) {
	d, m, l := w.dice, &w.HPA.Spec.Metrics[i], &w.loads[i]
	s := sourceOf(m)
	for _, pod := range w.Pods {
		goal := k.target
		if s.target.AverageUtilization != nil {
			goal = scaled(requestOf(pod, s), k.target, 100)
		}
		if l.shared {
			goal = scaled(goal, 10, int64(max(len(w.Pods), 1)))
		}
		if pod.Status.Phase == corev1.PodPending || (w.quirks.unmeasured && d.OneIn(12)) {
			continue
		}
		value := l.value(d, goal, k)
		if s.resource == "" {
			w.Answers[i].PerPod = append(w.Answers[i].PerPod, PodValue{pod.Name, value})
		} else {
			w.use(pod, s, value)
		}
	}
}

// use adds to what the resource metrics API lists for a pod. Metrics of
// several resources share the entry, as they do in a cluster.
func (w *Workload) use(pod *corev1.Pod, s source, value int64) {
	place := slices.IndexFunc(w.Usage, func(u PodUsage) bool { return u.Pod == pod.Name })
	if place < 0 {
		place = len(w.Usage)
		u := PodUsage{Pod: pod.Name, Window: 30 * time.Second, At: w.dice.moment(quirks{}, w.At, 0)}
		for _, name := range measuredContainers(pod) {
			u.Containers = append(u.Containers, ContainerUsage{Name: name, Milli: map[corev1.ResourceName]int64{}})
		}
		w.Usage = append(w.Usage, u)
	}
	containers := w.Usage[place].Containers
	for i := range containers {
		if _, measured := containers[i].Milli[s.resource]; !measured {
			containers[i].Milli[s.resource] = value / int64(len(containers))
		}
	}
}
