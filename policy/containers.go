package policy

import (
	"net/url"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// everyOther is the name of the policy for containers without their own.
const everyOther = "*"

// containers compiles how each container may be sized. A named policy counts
// before the one for the rest, wherever it stands in the list.
func (c *compiler) containers() (named []interval.Container, rest interval.Container) {
	rest = c.container("containers", &v1alpha1.ContainerPolicy{Name: everyOther})
	seen := map[string]bool{}
	for i := range c.spec.Containers {
		p, path := &c.spec.Containers[i], fault.Path("containers").Index(i)
		switch {
		case p.Name == "":
			c.faults.Add(path.Field("name"), "is required: name the container, or say \"*\" for the rest")
		case seen[p.Name]:
			c.faults.Add(path.Field("name"), "%q stands here twice: keep one policy per container", p.Name)
		}
		seen[p.Name] = true
		compiled := c.container(path, p)
		if p.Name == everyOther {
			rest = compiled
		} else {
			named = append(named, compiled)
		}
	}
	return named, rest
}

func (c *compiler) container(path fault.Path, p *v1alpha1.ContainerPolicy) interval.Container {
	out := interval.Container{Name: p.Name, Gap: c.shares(path.Field("limitsGap"), p.LimitsGap), KeepLimits: p.ControlledValues == v1alpha1.ControlledRequestsOnly}
	if p.ControlledValues != "" {
		oneOf(c, path.Field("controlledValues"), p.ControlledValues, v1alpha1.ControlledRequestsAndLimits, v1alpha1.ControlledRequestsOnly)
	}
	if out.KeepLimits && len(p.LimitsGap) > 0 {
		c.faults.Add(path.Field("limitsGap"), "changes limits, and controlledValues RequestsOnly leaves them alone: keep one of them")
	}
	for res, policy := range map[scale.Resource]*v1alpha1.ResourcePolicy{scale.CPU: p.CPU, scale.Memory: p.Memory} {
		out.Resources[res] = c.resourcePolicy(path.Field(res.String()), res, policy)
	}
	c.oomBumpUp(path, p)
	return out
}

func (c *compiler) resourcePolicy(path fault.Path, res scale.Resource, p *v1alpha1.ResourcePolicy) interval.Resource {
	out := interval.Resource{Sized: true, Counted: true}
	if p != nil {
		switch p.Scaling {
		case "", v1alpha1.ResourceScalingVertical:
		case v1alpha1.ResourceScalingHorizontal:
			out.Sized = false
		case v1alpha1.ResourceScalingOff:
			out.Sized, out.Counted = false, false
		default:
			oneOf(c, path.Field("scaling"), p.Scaling, v1alpha1.ResourceScalingHorizontal, v1alpha1.ResourceScalingVertical, v1alpha1.ResourceScalingOff)
		}
		if p.Min != nil {
			out.Min = c.amount(path.Field("min"), *p.Min)
		}
		if p.Max != nil {
			out.Max = c.mark(path.Field("max"), *p.Max)
		}
		if p.Min != nil && p.Max != nil && out.Min > out.Max {
			c.faults.Add(path.Field("min"), "must not be above max: %s > %s", p.Min, p.Max)
		}
		c.step(path.Field("step"), p)
	}
	return c.withinAdmin(res, out)
}

// step checks what requests are a multiple of.
func (c *compiler) step(path fault.Path, p *v1alpha1.ResourcePolicy) {
	if p.Step == nil {
		return
	}
	c.mark(path, *p.Step)
	switch {
	case p.Scaling == v1alpha1.ResourceScalingOff:
		c.faults.Add(path, "needs a request that is scaled, and scaling is \"Off\"")
	case c.spec.Intervals != nil:
		c.faults.Add(path, "cannot be kept with intervals: they share a total out exactly")
	case p.Max != nil && p.Step.Cmp(*p.Max) > 0:
		c.faults.Add(path, "must not be above max: %s > %s", p.Step, p.Max)
	}
}

// withinAdmin keeps requests within what the administrator allows anyone.
func (c *compiler) withinAdmin(res scale.Resource, r interval.Resource) interval.Resource {
	if most, ok := c.adminAmount(c.admin.MaximumResources, res); ok && (r.Max == 0 || r.Max > most) {
		r.Max = most
	}
	if least, ok := c.adminAmount(c.admin.MinimumResources, res); ok && r.Min < least {
		r.Min = least
	}
	if r.Max > 0 {
		r.Min = min(r.Min, r.Max)
	}
	return r
}

func (c *compiler) adminAmount(all map[string]resource.Quantity, res scale.Resource) (scale.Amount, bool) {
	q, ok := all[res.String()]
	if !ok {
		return 0, false
	}
	a, err := scale.ParseAmount(q.String())
	return a, err == nil && a > 0
}

// rightsize compiles how containers are sized while metrics decide their
// number. A resource nobody speaks of is left alone.
func (c *compiler) rightsize() *rightsize.Rules {
	if len(c.spec.Containers) == 0 || c.spec.Intervals != nil {
		return nil
	}
	r := &rightsize.Rules{PreferredMax: c.adminCount("preferredMaxReplicas", c.admin.PreferredMaxReplicas)}
	named, rest := c.containers()
	for i := range c.spec.Containers {
		p := &c.spec.Containers[i]
		if len(p.LimitsGap) > 0 {
			c.faults.Add(fault.Path("containers").Index(i).Field("limitsGap"), "needs intervals: without them limits keep their proportion to requests")
		}
		if p.Name == everyOther {
			r.Default = rightsized(p, rest)
			continue
		}
		for _, compiled := range named {
			if compiled.Name == p.Name {
				r.Containers = append(r.Containers, rightsized(p, compiled))
			}
		}
	}
	return r
}

func rightsized(p *v1alpha1.ContainerPolicy, from interval.Container) rightsize.Container {
	out := rightsize.Container{Name: p.Name, KeepLimits: from.KeepLimits}
	for res, policy := range map[scale.Resource]*v1alpha1.ResourcePolicy{scale.CPU: p.CPU, scale.Memory: p.Memory} {
		out.Resources[res] = rightsize.Resource{Min: max(from.Resources[res].Min, defaultLeast[res]), Max: from.Resources[res].Max}
		if policy == nil {
			continue
		}
		if policy.Step != nil {
			out.Resources[res].Step, _ = scale.ParseAmount(policy.Step.String())
		}
		switch policy.Scaling {
		case v1alpha1.ResourceScalingHorizontal:
			out.Resources[res].Scaling = rightsize.Horizontal
		case "", v1alpha1.ResourceScalingVertical:
			out.Resources[res].Scaling = rightsize.Vertical
		}
	}
	return out
}

// sizes tells whether requests change that a metric is measured by.
func (c *compiler) sizes(m *horizontal.Metric) bool {
	switch {
	case c.spec.Intervals != nil:
		return true
	case m.Kind >= horizontal.Pods:
		return false
	}
	named := slices.ContainsFunc(c.spec.Containers, func(p v1alpha1.ContainerPolicy) bool { return p.Name == m.Container })
	return slices.ContainsFunc(c.spec.Containers, func(p v1alpha1.ContainerPolicy) bool {
		policy := map[scale.Resource]*v1alpha1.ResourcePolicy{scale.CPU: p.CPU, scale.Memory: p.Memory}[m.Resource]
		ours := m.Kind == horizontal.Resource || p.Name == m.Container || p.Name == everyOther && !named
		return ours && policy != nil && policy.Scaling != v1alpha1.ResourceScalingOff
	})
}

// defaultLeast is the smallest request right-sizing leaves a container that
// states no minimum, as in the Tortoise design: 50m and 50Mi.
var defaultLeast = [...]scale.Amount{scale.CPU: 50, scale.Memory: 50 << 20 * 1000}

// vertical checks where recommendations come from and how they are applied.
func (c *compiler) vertical() {
	v := c.spec.Vertical
	if v == nil {
		return
	}
	c.verticalUse(v)
	c.rounds(v)
	if v.Source != "" {
		oneOf(c, "vertical.source", v.Source, v1alpha1.VerticalSourceBuiltIn, v1alpha1.VerticalSourceVPA, v1alpha1.VerticalSourceRecommender,
			v1alpha1.VerticalSourceNone)
	}
	if v.Update != "" {
		oneOf(c, "vertical.update", v.Update, v1alpha1.VerticalUpdateInPlace, v1alpha1.VerticalUpdateInPlaceOrRecreate,
			v1alpha1.VerticalUpdateRecreate, v1alpha1.VerticalUpdateInitial)
	}
	if v.Publish != "" {
		oneOf(c, "vertical.publish", v.Publish, v1alpha1.VerticalPublishNone, v1alpha1.VerticalPublishVPA)
	}
	fromVPA := v.Source == v1alpha1.VerticalSourceVPA
	if fromVPA && v.VPAName == "" {
		c.faults.Add("vertical.vpaName", "is required with source VPA: name the VerticalPodAutoscaler")
	}
	if e := v.Estimator; e != nil {
		c.estimator(e, v.Source)
	}
	if !fromVPA && v.VPAName != "" {
		c.faults.Add("vertical.vpaName", "needs source VPA")
	}
	c.recommender(v)
	if c.unadvised() {
		c.needAdvice()
	}
}

// verticalUse checks that something is sized, by what is stated.
func (c *compiler) verticalUse(v *v1alpha1.VerticalSpec) {
	recommended := c.spec.Intervals != nil || len(c.spec.Containers) > 0 || c.asksRecommendations()
	switch inPlace := c.resizesForHeadroom(); {
	case !recommended && !inPlace:
		c.faults.Add("vertical", "needs containers, intervals or learn.headroom.resize: nothing else is sized, and no targets are learned")
	case !recommended && (v.Source != "" || v.VPAName != "" || v.Recommender != nil || v.Estimator != nil):
		c.faults.Add("vertical", "takes update alone with learn.headroom.resize: the measured room says the size, and nobody recommends one")
	case !recommended && (v.Update == v1alpha1.VerticalUpdateRecreate || v.Update == v1alpha1.VerticalUpdateInitial):
		c.faults.Add("vertical.update", "must be InPlace or InPlaceOrRecreate with learn.headroom.resize, got %s: its sizes follow the demand "+
			"within seconds, and running pods have to take them", v.Update)
	}
}

// unadvised tells whether nobody recommends requests.
func (c *compiler) unadvised() bool {
	return c.spec.Vertical != nil && c.spec.Vertical.Source == v1alpha1.VerticalSourceNone
}

// needAdvice refuses what could never happen without recommendations. With
// intervals a size follows the desired counts, so nothing there needs them.
func (c *compiler) needAdvice() {
	if l := c.spec.Learn; l != nil && l.Targets != nil && *l.Targets {
		c.faults.Add("learn.targets", "are learned from recommended requests, and vertical.source is None: leave one of them out")
	}
	if c.spec.Intervals != nil {
		return
	}
	for i := range c.spec.Containers {
		p, path := &c.spec.Containers[i], fault.Path("containers").Index(i)
		for _, r := range []struct {
			name   string
			policy *v1alpha1.ResourcePolicy
		}{{"cpu", p.CPU}, {"memory", p.Memory}} {
			if r.policy != nil && (r.policy.Scaling == "" || r.policy.Scaling == v1alpha1.ResourceScalingVertical) {
				c.faults.Add(path.Field(r.name).Field("scaling"),
					"Vertical follows a recommendation, and vertical.source is None: use Horizontal or \"Off\", or another source")
			}
		}
	}
}

// asksRecommendations tells whether recommendations are of use although nothing
// is sized by them: learned targets follow from them.
func (c *compiler) asksRecommendations() bool {
	l := c.spec.Learn
	return c.spec.Actuator == v1alpha1.ActuatorHPA || (l != nil && l.Targets != nil && *l.Targets)
}

// recommender checks the service that is asked for sizes. Whether its host is
// allowed is the administrator's business, and is told when it is asked: the
// same object may be allowed in one cluster and not in another.
func (c *compiler) recommender(v *v1alpha1.VerticalSpec) {
	asks := v.Source == v1alpha1.VerticalSourceRecommender
	switch {
	case asks && v.Recommender == nil:
		c.faults.Add("vertical.recommender", "is required with source Recommender: give the url of the service")
	case !asks && v.Recommender != nil:
		c.faults.Add("vertical.recommender", "needs source Recommender")
	case asks:
		if u, err := url.Parse(v.Recommender.URL); err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http") {
			c.faults.Add("vertical.recommender.url", "must be a URL with a host, such as https://recommender.shop.svc/v1/size, got %.64q", v.Recommender.URL)
		}
	}
}

// estimator checks the settings of the built-in recommender.
func (c *compiler) estimator(e *v1alpha1.Estimator, source v1alpha1.VerticalSource) {
	path := fault.Path("vertical.estimator")
	switch source {
	case v1alpha1.VerticalSourceVPA:
		c.faults.Add(path, "needs source BuiltIn: a VPA has its own settings")
	case v1alpha1.VerticalSourceRecommender:
		c.faults.Add(path, "needs source BuiltIn: a recommender has its own settings")
	case v1alpha1.VerticalSourceNone:
		c.faults.Add(path, "needs source BuiltIn: None estimates nothing")
	}
	for _, f := range []struct {
		name      string
		value     *int32
		low, high int32
	}{
		{"percentile", e.Percentile, 50, 100}, {"marginPercent", e.MarginPercent, 0, 100},
		{"confidenceHours", e.ConfidenceHours, 1, 168}, {"minChangePercent", e.MinChangePercent, 0, 100},
	} {
		if f.value != nil && (*f.value < f.low || *f.value > f.high) {
			c.faults.Add(path.Field(f.name), "must be between %d and %d, got %d", f.low, f.high, *f.value)
		}
	}
}
