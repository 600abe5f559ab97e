package upstream

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// quirks are the irregularities a case may have. A case has few of them, so
// that each is also seen alone.
type quirks struct {
	phases, deleting, readiness, young, noStart     bool
	unmeasured, negative, stale, huge, strangers    bool
	noRequest, zeroRequest, podLevel, initContainer bool
}

func (d *Dice) quirks() quirks {
	var q quirks
	for _, quirk := range []*bool{
		&q.phases, &q.deleting, &q.readiness, &q.young, &q.unmeasured, &q.unmeasured,
		&q.strangers, &q.podLevel, &q.initContainer,
	} {
		*quirk = *quirk || d.Percent(16)
	}
	for _, quirk := range []*bool{&q.noStart, &q.negative, &q.stale, &q.huge, &q.noRequest, &q.zeroRequest} {
		*quirk = d.Percent(5)
	}
	return q
}

// podMaker rolls the pods of one workload.
type podMaker struct {
	*Dice
	quirks
	at       time.Time
	template []corev1.Container
}

func newPodMaker(d *Dice, q quirks, at time.Time) *podMaker {
	m := &podMaker{Dice: d, quirks: q, at: at}
	for _, name := range containerNames[:d.Between(1, 3)] {
		m.template = append(m.template, corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU:    *resource.NewMilliQuantity(Of(d, 100, 250, 1000, d.Between(1, 4000)), resource.DecimalSI),
			corev1.ResourceMemory: *resource.NewQuantity(Of(d, 1<<20, 1<<28, d.Between(1, 1<<34)), resource.BinarySI),
		}}})
	}
	return m
}

// pod rolls one pod.
func (m *podMaker) pod(number int) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%d", number)}}
	if m.deleting && m.OneIn(4) {
		now := metav1.NewTime(m.at)
		pod.DeletionTimestamp = &now
	}
	m.containers(pod)
	m.lifecycle(pod)
	return pod
}

func (m *podMaker) containers(pod *corev1.Pod) {
	resized := m.OneIn(4)
	for _, c := range m.template {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: c.Name, Resources: m.requests(c, resized)})
	}
	if m.initContainer {
		always := corev1.ContainerRestartPolicyAlways
		first := pod.Spec.Containers[0]
		pod.Spec.InitContainers = []corev1.Container{
			{Name: "setup", Resources: m.requests(m.template[0], true)},
			{Name: "proxy", Resources: first.Resources, RestartPolicy: &always},
		}
	}
	if m.podLevel {
		list := corev1.ResourceList{}
		for _, name := range Of(m.Dice, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}, []corev1.ResourceName{corev1.ResourceCPU},
			[]corev1.ResourceName{corev1.ResourceMemory}, nil) {
			list[name] = *resource.NewMilliQuantity(m.Between(1, 8_000_000), resource.DecimalSI)
		}
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: list}
	}
}

// requests rolls what a container requests: usually what the template says.
func (m *podMaker) requests(c corev1.Container, resized bool) corev1.ResourceRequirements {
	if !resized && !m.noRequest && !m.zeroRequest && !m.huge {
		return c.Resources
	}
	list := c.Resources.Requests.DeepCopy()
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		q := list[name]
		switch {
		case m.noRequest && m.OneIn(8):
			delete(list, name)
			continue
		case m.zeroRequest && m.OneIn(4):
			q.Set(0)
		case m.huge && m.OneIn(8):
			// What the containers of a pod request together stays in the range of
			// a quantity: beyond it we count nothing, and no node has room for it.
			q.SetMilli(m.large() / 8)
		case resized:
			q.SetMilli(scaled(q.MilliValue(), m.Between(1, 8), 4))
		}
		list[name] = q
	}
	return corev1.ResourceRequirements{Requests: list}
}

// lifecycle rolls the pod's phase, age and readiness.
func (m *podMaker) lifecycle(pod *corev1.Pod) {
	s := &pod.Status
	s.Phase = corev1.PodRunning
	if m.phases && m.OneIn(3) {
		s.Phase = Of(m.Dice, corev1.PodPending, corev1.PodPending, corev1.PodSucceeded, corev1.PodFailed, corev1.PodUnknown)
	}
	age := Of(m.Dice, time.Hour, 5*time.Minute, 5*time.Minute+time.Second, 240*time.Hour)
	if m.young && m.OneIn(2) {
		age = Of(m.Dice, 5*time.Minute-time.Second, time.Duration(m.Upto(300))*time.Second)
	}
	started := metav1.NewTime(m.at.Add(-age))
	if !m.noStart || !m.OneIn(4) {
		s.StartTime = &started
	}
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: m.transition(started)}
	if m.readiness && m.OneIn(3) {
		ready.Status = Of(m.Dice, corev1.ConditionFalse, corev1.ConditionFalse, corev1.ConditionUnknown, "")
	}
	if ready.Status != "" {
		s.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, ready}
	}
}

// transition rolls when the pod's readiness changed last: around the moments
// at which the two periods of a pod's start end, or before it started.
func (m *podMaker) transition(started metav1.Time) metav1.Time {
	after := Of(m.Dice, 10*time.Second, 0, 29*time.Second, 30*time.Second, 31*time.Second,
		-time.Minute, time.Duration(m.Upto(400))*time.Second)
	changed := started.Add(after)
	if m.OneIn(4) {
		changed = m.at.Add(-time.Duration(m.Upto(120)) * time.Second)
	}
	if changed.After(m.at) {
		changed = m.at
	}
	if m.OneIn(40) {
		changed = time.Time{}
	}
	return metav1.NewTime(changed)
}
