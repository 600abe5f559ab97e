package permit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// object sizes the pods of Deployment web, changed by options.
func object(name string, options ...func(*v1alpha1.WorkloadAutoscaler)) *v1alpha1.WorkloadAutoscaler {
	out := &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec: v1alpha1.WorkloadAutoscalerSpec{
			TargetRef:  v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			Containers: []v1alpha1.ContainerPolicy{{Name: "app", CPU: &v1alpha1.ResourcePolicy{}}},
		},
	}
	for _, option := range options {
		option(out)
	}
	return out
}

func in(mode v1alpha1.Mode) func(*v1alpha1.WorkloadAutoscaler) {
	return func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = mode }
}

func leaving(o *v1alpha1.WorkloadAutoscaler) {
	o.DeletionTimestamp, o.Finalizers = &metav1.Time{Time: noon}, []string{"example.com/slow"}
}

func tuning(o *v1alpha1.WorkloadAutoscaler) {
	o.Spec.Actuator, o.Spec.HPAName = v1alpha1.ActuatorHPA, "old"
}

var (
	noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	old  = &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "old"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1",
			Kind: "Deployment", Name: "web"}},
	}
	sizes = &vpav1.VerticalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "sizes"},
		Spec:       vpav1.VerticalPodAutoscalerSpec{TargetRef: &autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}},
	}
	paused   = v1alpha1.AdminSettings{Paused: true}
	excluded = v1alpha1.AdminSettings{ExcludedNamespaces: []string{"bank", "shop"}}
)

func checker(t *testing.T, rules Rules, objects ...client.Object) *Checker {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(autoscalingv2.AddToScheme(scheme), vpav1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	return &Checker{Rules: rules, Clock: clocktesting.NewFakePassiveClock(noon), Cache: fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithIndex(&v1alpha1.WorkloadAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithIndex(&autoscalingv2.HorizontalPodAutoscaler{}, targetref.Field, targetref.IndexedBy).Build()}
}

func under(admin v1alpha1.AdminSettings, dryRun bool) Rules {
	return Rules{Admin: func() v1alpha1.AdminSettings { return admin }, DryRun: dryRun}
}

// TestMayAct: each of those who ask gets the same answer, but for what one of
// them need not look at.
func TestMayAct(t *testing.T) {
	none, deleted := scale.Reason("may act"), scale.Reason("")
	for name, c := range map[string]struct {
		obj    *v1alpha1.WorkloadAutoscaler
		admin  v1alpha1.AdminSettings
		dry    bool
		others []client.Object
		// alone is without a look at others; tuner leaves out who sizes pods.
		want, alone, tuner scale.Reason
		// decides is whether a decision is made all the same.
		decides bool
	}{
		"nothing is against it":           {obj: object("web"), want: none, alone: none, tuner: none, decides: true},
		"an emergency":                    {obj: object("web", in(v1alpha1.ModeEmergency)), want: none, alone: none, tuner: none, decides: true},
		"mode Off":                        {obj: object("web", in(v1alpha1.ModeOff)), want: scale.ModeOff, alone: scale.ModeOff, tuner: scale.ModeOff, decides: true},
		"mode Recommend":                  {obj: object("web", in(v1alpha1.ModeRecommend)), want: scale.Recommend, alone: scale.Recommend, tuner: scale.Recommend, decides: true},
		"mode Recommend beside an HPA":    {obj: object("web", in(v1alpha1.ModeRecommend)), others: []client.Object{old}, want: scale.Recommend, alone: scale.Recommend, tuner: scale.Recommend, decides: true},
		"it is being deleted":             {obj: object("web", leaving), want: deleted, alone: deleted, tuner: deleted},
		"a pause":                         {obj: object("web"), admin: paused, want: scale.Paused, alone: scale.Paused, tuner: scale.Paused, decides: true},
		"a dry run":                       {obj: object("web"), dry: true, want: scale.Recommend, alone: scale.Recommend, tuner: scale.Recommend, decides: true},
		"an excluded namespace":           {obj: object("web"), admin: excluded, want: scale.NamespaceExcluded, alone: scale.NamespaceExcluded, tuner: scale.NamespaceExcluded},
		"an excluded namespace, mode Off": {obj: object("web", in(v1alpha1.ModeOff)), admin: excluded, want: scale.NamespaceExcluded, alone: scale.NamespaceExcluded, tuner: scale.NamespaceExcluded},
		"an HPA":                          {obj: object("web"), others: []client.Object{old}, want: scale.ForeignAutoscaler, alone: none, tuner: scale.ForeignAutoscaler},
		"the HPA that it tunes":           {obj: object("web", tuning), others: []client.Object{old}, want: none, alone: none, tuner: none, decides: true},
		"a VPA":                           {obj: object("web"), others: []client.Object{sizes}, want: scale.ForeignAutoscaler, alone: none, tuner: none},
		"another object":                  {obj: object("web"), others: []client.Object{object("two")}, want: scale.SharedTarget, alone: none, tuner: scale.SharedTarget},
		"another that only recommends":    {obj: object("web"), others: []client.Object{object("two", in(v1alpha1.ModeRecommend))}, want: none, alone: none, tuner: none, decides: true},
		"another that is off":             {obj: object("web"), others: []client.Object{object("two", in(v1alpha1.ModeOff))}, want: none, alone: none, tuner: none, decides: true},
		"another that goes":               {obj: object("web"), others: []client.Object{object("two", leaving)}, want: none, alone: none, tuner: none, decides: true},
		"a pause hides no HPA":            {obj: object("web"), admin: paused, others: []client.Object{old}, want: scale.ForeignAutoscaler, alone: scale.Paused, tuner: scale.ForeignAutoscaler},
		"a dry run hides no HPA":          {obj: object("web"), dry: true, others: []client.Object{old}, want: scale.ForeignAutoscaler, alone: scale.Recommend, tuner: scale.ForeignAutoscaler},
	} {
		t.Run(name, func(t *testing.T) {
			check := checker(t, under(c.admin, c.dry), append(c.others, c.obj)...)
			told := func(what string, want scale.Reason, got *Denial, err error) {
				t.Helper()
				switch {
				case err != nil:
					t.Errorf("%s: %v", what, err)
				case (got == nil) != (want == none) || got != nil && (got.Reason != want || got.Message == ""):
					t.Errorf("%s: got %+v, want %s", what, got, want)
				}
			}
			got, err := check.Check(t.Context(), c.obj)
			told("to act", c.want, got, err)
			if got.LetsDecide() != c.decides {
				t.Errorf("decides: %t, want %t", !c.decides, c.decides)
			}
			got, err = check.CheckTuner(t.Context(), c.obj)
			told("to tune", c.tuner, got, err)
			told("alone", c.alone, check.Object(c.obj), nil)
		})
	}
}

func TestNamespace(t *testing.T) {
	for name, c := range map[string]struct {
		rules Rules
		want  string
	}{
		"nothing is against it": {under(v1alpha1.AdminSettings{ExcludedNamespaces: []string{"bank"}}, false), ""},
		"excluded":              {under(excluded, false), "has excluded the namespace shop"},
		"a pause":               {under(paused, false), "has paused all scaling"},
		"a dry run":             {under(v1alpha1.AdminSettings{}, true), "runs dry"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.rules.Namespace("shop"); (got == nil) != (c.want == "") || got != nil && !strings.Contains(got.Message, c.want) {
				t.Errorf("%s: got %+v, want %q", name, got, c.want)
			}
		})
	}
}

// noVPAs is a cluster without that kind, which counts who asks for it.
type noVPAs struct {
	client.Reader
	asked int
}

func (n *noVPAs) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	if _, vpas := into.(*vpav1.VerticalPodAutoscalerList); vpas {
		n.asked++
		return errors.New("no such kind")
	}
	return n.Reader.List(ctx, into, options...)
}

// TestNoVPAsAreAskedForSeldom: that a kind is missing keeps nobody from acting,
// and is believed for a while.
func TestNoVPAsAreAskedForSeldom(t *testing.T) {
	c, now := checker(t, under(v1alpha1.AdminSettings{}, false)), clocktesting.NewFakePassiveClock(noon)
	cluster := &noVPAs{Reader: c.Cache}
	c.Cache, c.Clock = cluster, now
	for after, want := range []int{1, 1, 2} {
		now.SetTime(noon.Add(time.Duration(after) * noVPAFor / 2))
		if why, err := c.Check(t.Context(), object("web")); why != nil || err != nil || cluster.asked != want {
			t.Errorf("look %d: %v, %v, asked %d times, want %d", after, why, err, cluster.asked, want)
		}
	}
}
