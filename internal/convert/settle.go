package convert

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

var metricPath = regexp.MustCompile(`^metrics\[(\d+)\]`)

// settle makes sure that the output compiles. A metric that cannot work is
// taken out and reported with what the compiler says of it, and so is a schedule; any
// other fault is one of the input.
func (d *draft) settle() fault.List {
	for {
		_, err := policy.Compile(d.out.Spec, v1alpha1.AdminSettings{})
		faults := fault.Of(err)
		if len(faults) == 0 {
			return nil
		}
		if !d.dropMetric(faults) && !d.dropSchedule(faults) && !d.raiseMin(faults) && !d.dropSleep(faults) {
			return d.asInput(faults)
		}
		d.standStill()
	}
}

// dropMetric takes out the first metric that has a fault.
func (d *draft) dropMetric(faults fault.List) bool {
	for _, f := range faults {
		match := metricPath.FindStringSubmatch(string(f.Path))
		if match == nil {
			continue
		}
		i, err := strconv.Atoi(match[1])
		if err != nil || i >= len(d.metricFrom) {
			continue
		}
		d.forget(d.metricFrom[i])
		d.drop(d.metricFrom[i], "cannot work here: %s", strings.TrimPrefix(f.String(), match[0]+"."))
		d.affects(d.metricFrom[i], AffectsAll)
		d.out.Spec.Metrics = slices.Delete(d.out.Spec.Metrics, i, i+1)
		d.metricFrom = slices.Delete(d.metricFrom, i, i+1)
		d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool { return fault.Path(f.To).Within(fault.Path("spec.metrics").Index(i)) })
		d.renumber(i)
		return true
	}
	return false
}

// forget takes back what was said of a field and everything below it.
func (d *draft) forget(path fault.Path) {
	for claimed := range d.claims {
		if claimed.Within(path) {
			delete(d.claims, claimed)
		}
	}
}

var metricTo = regexp.MustCompile(`^spec\.metrics\[(\d+)\]`)

// renumber corrects the places of the metrics behind one that was taken out.
func (d *draft) renumber(removed int) {
	corrected := func(to string) string {
		match := metricTo.FindStringSubmatch(to)
		if match == nil {
			return to
		}
		if i, err := strconv.Atoi(match[1]); err == nil && i > removed {
			return fmt.Sprintf("spec.metrics[%d]", i-1) + to[len(match[0]):]
		}
		return to
	}
	for path, claim := range d.claims {
		claim.To = corrected(claim.To)
		d.claims[path] = claim
	}
	for i := range d.defaults {
		d.defaults[i].To = corrected(d.defaults[i].To)
	}
}

// raiseMin gives up a minimum of 0 that nothing here could wake up from.
func (d *draft) raiseMin(faults fault.List) bool {
	r := &d.out.Spec.Replicas
	if r.Min == nil || *r.Min != 0 || !slices.ContainsFunc(faults, func(f fault.Fault) bool { return f.Path == "replicas.min" }) {
		return false
	}
	r.Min = nil
	for path, claim := range d.claims {
		if claim.To == "spec.replicas.min" {
			d.drop(path, "0 needs an Object or External metric that can be read without pods, and none is left: the minimum is 1")
		}
	}
	d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool { return f.To == "spec.replicas.min" })
	d.assume("spec.replicas.min", "is 1: without an Object or External metric nothing could wake the workload up from 0")
	d.defaultAffects(AffectsScaleDown)
	return true
}

// standStill keeps an object whose evidence was lost from acting on other
// evidence, or on none.
func (d *draft) standStill() {
	if len(d.out.Spec.Metrics) > 0 || d.out.Spec.Mode == v1alpha1.ModeRecommend {
		return
	}
	d.still = true
	d.out.Spec.Mode, d.out.Spec.Compatibility = v1alpha1.ModeRecommend, ""
	d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool { return f.To == "spec.compatibility" })
	d.assume("spec.mode", "is Recommend, because none of the metrics could be carried: set it to Auto when the object has evidence to act on")
	d.defaultAffects(AffectsAll)
}

// asInput says faults of the output in terms of the input, where the field is
// known that was carried there.
func (d *draft) asInput(faults fault.List) fault.List {
	from := map[string]string{}
	for path, claim := range d.claims {
		if old, ok := from[claim.To]; claim.To != "" && (!ok || string(path) < old) {
			from[claim.To] = string(path)
		}
	}
	out := make(fault.List, len(faults))
	for i, f := range faults {
		out[i] = f
		for to := "spec." + string(f.Path); to != ""; to = to[:max(0, strings.LastIndexAny(to, ".["))] {
			if path, ok := from[to]; ok {
				out[i].Path = fault.Path(path)
				break
			}
		}
	}
	return out
}
