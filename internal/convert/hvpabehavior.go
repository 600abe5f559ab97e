package convert

import (
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// hvpaRules are the rules of one direction.
type hvpaRules struct {
	UpdatePolicy struct {
		UpdateMode string `json:"updateMode"`
	} `json:"updatePolicy"`
	MinChange             hvpaShares `json:"minChange"`
	StabilizationDuration string     `json:"stabilizationDuration"`
}

// ruled are the rules of one direction and the place they stand at.
type ruled struct {
	from  fault.Path
	rules hvpaRules
}

// hvpaBehavior carries the rules of both directions. An Hvpa states them for
// the count and for the size; here they are the same, and the stricter wins.
func (d *draft) hvpaBehavior(s *hvpaSpec) fault.List {
	ups, downs := []ruled{{"spec.scaleUp", s.ScaleUp}}, []ruled{{"spec.scaleDown", s.ScaleDown}}
	if s.HPA != nil && !s.off(s.HPA.Deploy) {
		ups, downs = append(ups, ruled{"spec.hpa.scaleUp", s.HPA.ScaleUp}), append(downs, ruled{"spec.hpa.scaleDown", s.HPA.ScaleDown})
	}
	if s.VPA != nil && !s.off(s.VPA.Deploy) {
		ups, downs = append(ups, ruled{"spec.vpa.scaleUp", s.VPA.ScaleUp}), append(downs, ruled{"spec.vpa.scaleDown", s.VPA.ScaleDown})
	}
	up, down := d.behavior()
	faults := d.hvpaDirection("spec.behavior.scaleUp", up, ups)
	faults = append(faults, d.hvpaDirection("spec.behavior.scaleDown", down, downs)...)
	d.hvpaPace(down)
	return faults
}

// hvpaPace says how soon and how far an Hvpa moves that does not speak of it.
// The HPA inside has the HPA's own pace; without it there is none.
func (d *draft) hvpaPace(down *v1alpha1.ScalingRules) {
	const window, policies = "spec.behavior.scaleDown.stabilizationWindowSeconds", "spec.behavior.scaleUp.policies"
	out := &d.out.Spec
	if len(out.Metrics) == 0 && len(out.Containers) == 0 && out.Intervals == nil {
		return
	}
	if len(out.Metrics) == 0 {
		down.StabilizationWindowSeconds = new(int32(0))
		d.assume(window, "is 0: without an HPA an Hvpa follows a recommendation at once; the default here is 300")
		d.defaultAffects(AffectsScaleDown)
		return
	}
	down.StabilizationWindowSeconds = new(int32(300))
	d.assume(window, "is 300: the HPA inside follows the largest count that it desired in five minutes; here pods also wait that long before they shrink")
	d.defaultAffects(AffectsScaleDown)
	if out.Intervals == nil {
		d.assume(policies, "are left to the default, 4 pods or 100 %% in 15 seconds; the HPA inside adds at most as many as there are, or up to 4 pods, at once")
		d.defaultAffects(AffectsScaleUp)
	}
}

func (d *draft) hvpaDirection(to fault.Path, out *v1alpha1.ScalingRules, in []ruled) fault.List {
	var faults fault.List
	for _, r := range in {
		d.hvpaUpdate(to.Field("update"), out, r)
		if len(r.rules.MinChange) > 0 {
			d.hvpaMinChange(to.Field("minChange"), out, r)
		}
		if text := r.rules.StabilizationDuration; text != "" {
			at := r.from.Field("stabilizationDuration")
			wait, err := time.ParseDuration(text)
			if err != nil || wait < 0 || wait.Seconds() > math.MaxInt32 {
				faults.Add(at, "must be a duration such as 3m, got %q", text)
				continue
			}
			d.change(at, to.Field("forbiddenWindowSeconds"), "counts from the last change of any kind; the longer of several is taken")
			seconds := int32(wait.Seconds())
			if out.ForbiddenWindowSeconds == nil || *out.ForbiddenWindowSeconds < seconds {
				out.ForbiddenWindowSeconds = &seconds
			}
		}
	}
	if out.MinChange == nil && d.out.Spec.Intervals == nil && len(d.out.Spec.Containers) > 0 {
		cpu, memory := resource.MustParse("200m"), resource.MustParse("200M")
		out.MinChange = map[string]v1alpha1.ChangeParams{"cpu": {Value: &cpu}, "memory": {Value: &memory}}
		d.assume(to.Field("minChange"), "is 200m and 200M unless stated; here it is compared with the change of all pods together")
	}
	return faults
}

// strictness orders the update modes.
var strictness = map[v1alpha1.UpdateMode]int{"": 0, v1alpha1.UpdateAuto: 1, v1alpha1.UpdateMaintenanceWindow: 2, v1alpha1.UpdateOff: 3}

// hvpaUpdate carries when a direction may change something. An Hvpa that
// waits for a window and has none never changes anything.
func (d *draft) hvpaUpdate(to fault.Path, out *v1alpha1.ScalingRules, r ruled) {
	at := r.from.Field("updatePolicy.updateMode")
	mode := v1alpha1.UpdateMode(r.rules.UpdatePolicy.UpdateMode)
	if _, ok := strictness[mode]; !ok {
		d.drop(at, "%q is not Auto, Off or MaintenanceWindow", mode)
		return
	}
	d.change(at, to, "holds for count and size alike; the strictest of several is taken")
	if mode == v1alpha1.UpdateMaintenanceWindow && len(d.out.Spec.MaintenanceWindows) == 0 {
		mode = v1alpha1.UpdateOff
		d.change(at, to, "is \"Off\", because there is no maintenanceTimeWindow that could open")
	}
	if strictness[mode] > strictness[out.Update] {
		out.Update = mode
	}
}

func (d *draft) hvpaMinChange(to fault.Path, out *v1alpha1.ScalingRules, r ruled) {
	at := r.from.Field("minChange")
	stated := d.shares(at, to, r.rules.MinChange)
	for name := range stated {
		d.change(child(at, name), to.Field(name), "is compared with the change of all pods together, and of value and percentage the larger "+
			"counts, where an Hvpa takes the smaller")
	}
	if stated != nil {
		out.MinChange = stated
	}
}

// hvpaWindow carries the maintenance window. Its clock has an offset and no
// place, so the window is said in UTC.
func (d *draft) hvpaWindow(s *hvpaSpec) fault.List {
	if s.MaintenanceTimeWindow == nil {
		return nil
	}
	const from, layout = fault.Path("spec.maintenanceTimeWindow"), "150405-0700"
	var faults fault.List
	clock := func(name, text string) string {
		t, err := time.Parse(layout, text)
		if err != nil {
			faults.Add(from.Field(name), "must be a time such as 220000+0100, got %q", text)
		}
		d.change(from.Field(name), "spec.maintenanceWindows[0]", "is said in UTC, without seconds")
		return t.UTC().Format("15:04")
	}
	d.out.Spec.MaintenanceWindows = []v1alpha1.MaintenanceWindow{{
		Start: clock("begin", s.MaintenanceTimeWindow.Begin), End: clock("end", s.MaintenanceTimeWindow.End),
	}}
	return faults
}
