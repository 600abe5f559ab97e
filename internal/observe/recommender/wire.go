package recommender

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Workload is what a recommender is told.
type Workload struct {
	Namespace string `json:"namespace"`
	// Name is that of the object that asks.
	Name       string      `json:"name"`
	At         time.Time   `json:"at"`
	Target     Target      `json:"target"`
	Replicas   Replicas    `json:"replicas"`
	Containers []Container `json:"containers"`
}

// Target names the workload.
type Target struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Replicas are the counts of pods.
type Replicas struct {
	Spec   int32 `json:"spec"`
	Status int32 `json:"status"`
	Ready  int32 `json:"ready"`
}

// Container is the size of a container and what all of its kind use.
type Container struct {
	Name     string  `json:"name"`
	Requests amounts `json:"requests"`
	Limits   amounts `json:"limits"`
	Usage    amounts `json:"usage"`
	// Pods is how many pods the usage is of.
	Pods int32 `json:"pods"`
}

// amounts are written as quantities by the names of their resources.
type amounts map[string]string

func amountsOf(rs scale.Resources) amounts {
	out := amounts{}
	for _, r := range scale.EveryResource {
		if a, known := rs.Get(r); known {
			out[r.String()] = r.Format(a)
		}
	}
	return out
}

// WorkloadOf puts together what a recommender is told.
func WorkloadOf(namespace, name string, t Target, obs *scale.Observation) Workload {
	out := Workload{
		Namespace: namespace, Name: name, At: obs.At, Target: t,
		Replicas:   Replicas{Spec: obs.Target.SpecReplicas, Status: obs.Target.StatusReplicas},
		Containers: make([]Container, 0, len(obs.Target.Containers)),
	}
	for i := range obs.Pods {
		if obs.Pods[i].Serves() {
			out.Replicas.Ready++
		}
	}
	for i := range obs.Target.Containers {
		c := &obs.Target.Containers[i]
		one := Container{Name: c.Name, Requests: amountsOf(c.Requests), Limits: amountsOf(c.Limits)}
		var total scale.Resources
		total, one.Pods = usageOf(obs.Pods, c.Name)
		one.Usage = amountsOf(total)
		out.Containers = append(out.Containers, one)
	}
	return out
}

// usageOf sums what a container uses over the pods that know all of it.
func usageOf(pods []scale.Pod, name string) (scale.Resources, int32) {
	var total scale.Resources
	n := int32(0)
	for i := range pods {
		for j := range pods[i].Containers {
			c := &pods[i].Containers[j]
			cpu, knowsCPU := c.Usage.Get(scale.CPU)
			memory, knowsMemory := c.Usage.Get(scale.Memory)
			if c.Name != name || !knowsCPU || !knowsMemory || cpu < 0 || memory < 0 {
				continue
			}
			cpuBefore, _ := total.Get(scale.CPU)
			memoryBefore, _ := total.Get(scale.Memory)
			total = total.With(scale.CPU, cpuBefore.Add(cpu)).With(scale.Memory, memoryBefore.Add(memory))
			n++
		}
	}
	return total, n
}

// recommendation is what a recommender answers.
type recommendation struct {
	Containers []struct {
		Name       string  `json:"name"`
		Target     amounts `json:"target"`
		LowerBound amounts `json:"lowerBound"`
		UpperBound amounts `json:"upperBound"`
	} `json:"containers"`
}

// read reads an answer. Anything unexpected refuses all of it: a service that
// is wrong about one thing may be wrong about the rest.
func read(text []byte, w *Workload) ([]scale.Recommendation, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	var answer recommendation
	if err := in.Decode(&answer); err != nil {
		return nil, fmt.Errorf("its answer is not as documented: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("its answer is not as documented: something follows it")
	}
	var out []scale.Recommendation
	for _, c := range answer.Containers {
		if !slices.ContainsFunc(w.Containers, func(known Container) bool { return known.Name == c.Name }) {
			return nil, fmt.Errorf("its answer is about a container %.64q, which the workload does not have", c.Name)
		}
		if slices.ContainsFunc(out, func(r scale.Recommendation) bool { return r.Container == c.Name }) {
			return nil, fmt.Errorf("its answer has two entries for the container %s", c.Name)
		}
		size, err := within(c.Target, c.LowerBound, c.UpperBound)
		if err != nil {
			return nil, fmt.Errorf("its answer for the container %s: %w", c.Name, err)
		}
		out = append(out, scale.Recommendation{Container: c.Name, PerPod: size})
	}
	return out, nil
}

// within reads a target and makes sure that it is within its bounds.
func within(target, lower, upper amounts) (scale.Resources, error) {
	var sizes [3]scale.Resources
	for i, part := range []struct {
		name string
		from amounts
	}{{"target", target}, {"lowerBound", lower}, {"upperBound", upper}} {
		for name, text := range part.from {
			r, known := scale.ParseResource(name)
			amount, err := scale.ParseAmount(text)
			switch {
			case !known:
				return scale.Resources{}, fmt.Errorf("%s.%.64s: use cpu or memory", part.name, name)
			case err != nil:
				return scale.Resources{}, fmt.Errorf("%s.%s: %.64q %w", part.name, name, text, err)
			case amount <= 0:
				return scale.Resources{}, fmt.Errorf("%s.%s: must be above 0, got %s", part.name, name, text)
			}
			sizes[i] = sizes[i].With(r, amount)
		}
	}
	for _, r := range scale.EveryResource {
		want, known := sizes[0].Get(r)
		least, bounded := sizes[1].Get(r)
		most, capped := sizes[2].Get(r)
		if known && ((bounded && want < least) || (capped && want > most)) {
			return scale.Resources{}, fmt.Errorf("target.%s is outside of its own bounds", r)
		}
	}
	return sizes[0], nil
}
