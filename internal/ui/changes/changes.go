package changes

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/policy"
)

// manager is the name under which the API server notes who changed what.
const manager = "tidemark-ui"

// Changer changes objects.
type Changer struct {
	// as is a client with the credentials of who has a token.
	as func(token string) (client.Client, error)
}

var _ server.Changer = (*Changer)(nil)

// Own changes objects with the credentials of a configuration: those of who started
// the program, and has its token.
func Own(config *rest.Config) (*Changer, error) {
	api, err := clientOf(rest.CopyConfig(config))
	if err != nil {
		return nil, err
	}
	return &Changer{func(string) (client.Client, error) { return api, nil }}, nil
}

// Brought changes objects with the token that a caller brought. Of the configuration
// only the address and the way to trust the server are used.
func Brought(config *rest.Config) *Changer {
	anonymous := rest.AnonymousClientConfig(config)
	return &Changer{func(token string) (client.Client, error) {
		config := rest.CopyConfig(anonymous)
		config.BearerToken = token
		return clientOf(config)
	}}
}

func clientOf(config *rest.Config) (client.Client, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config.UserAgent, config.WarningHandler = manager, rest.NoWarnings{}
	api, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	return api, nil
}

// Object reads an object as the caller.
func (c *Changer) Object(ctx context.Context, token string, k feed.Key) (server.Object, error) {
	_, obj, err := c.get(ctx, token, k)
	if err != nil {
		return server.Object{}, err
	}
	text, err := yaml.Marshal(obj.Spec)
	if err != nil {
		return server.Object{}, err
	}
	mode := obj.Spec.Mode
	if mode == "" {
		mode = v1alpha1.ModeAuto
	}
	paused, annotated := obj.Annotations[v1alpha1.PausedAnnotation]
	if !annotated && obj.Spec.Pause != nil {
		paused = "by the spec"
	}
	return server.Object{Spec: string(text), Version: version(obj), Mode: string(mode), Paused: paused}, nil
}

func (c *Changer) get(ctx context.Context, token string, k feed.Key) (client.Client, *v1alpha1.WorkloadAutoscaler, error) {
	api, err := c.as(token)
	if err != nil {
		return nil, nil, err
	}
	obj := &v1alpha1.WorkloadAutoscaler{}
	return api, obj, refusal(api.Get(ctx, client.ObjectKey{Namespace: k.Namespace, Name: k.Name}, obj))
}

// version tells an object from what it becomes by a change: of its spec, which has a
// generation, or of its annotations, which have none. The version that the API server
// keeps is also another after each decision, which is no change of anyone's.
func version(obj *v1alpha1.WorkloadAutoscaler) string {
	hash := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(obj.Annotations)) {
		fmt.Fprintf(hash, "%q %q ", key, obj.Annotations[key])
	}
	return fmt.Sprintf("%s-%d-%x", obj.UID, obj.Generation, hash.Sum(nil)[:8])
}

// Change makes a change as the caller.
func (c *Changer) Change(ctx context.Context, token string, k feed.Key, change server.Change) error {
	api, obj, err := c.get(ctx, token, k)
	if err != nil {
		return err
	}
	if version(obj) != change.Version {
		return server.Refusal{Code: http.StatusConflict, Words: "the object has been changed meanwhile: look at it again"}
	}
	before := obj.DeepCopy()
	if err := edit(obj, change); err != nil {
		return server.Refusal{Code: http.StatusUnprocessableEntity, Words: err.Error()}
	}
	// What the object is, is known; that it still is, the API server checks.
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return refusal(api.Patch(ctx, obj, patch, client.FieldOwner(manager), client.FieldValidation("Strict")))
}

// edit makes the change in an object.
func edit(obj *v1alpha1.WorkloadAutoscaler, change server.Change) error {
	switch change.Action {
	case "pause":
		return pause(obj, change.Pause)
	case "resume":
		delete(obj.Annotations, v1alpha1.PausedAnnotation)
		if obj.Spec.Pause != nil {
			// The annotation wins over the spec, which someone else may own.
			annotate(obj, "false")
		}
		return nil
	case "mode":
		modes := []v1alpha1.Mode{v1alpha1.ModeAuto, v1alpha1.ModeRecommend, v1alpha1.ModeOff, v1alpha1.ModeEmergency}
		if !slices.Contains(modes, v1alpha1.Mode(change.Mode)) {
			return fmt.Errorf("mode must be one of %v, got %q", modes, change.Mode)
		}
		obj.Spec.Mode = v1alpha1.Mode(change.Mode)
		return nil
	case "apply":
		return apply(obj, change.Spec)
	}
	return fmt.Errorf("action must be pause, resume, mode or apply, got %q", change.Action)
}

// pause pauses an object by its annotation, in its words.
func pause(obj *v1alpha1.WorkloadAutoscaler, words string) error {
	text := strings.Join(strings.Fields(words), " ")
	if text == "" {
		text = "true"
	}
	annotate(obj, text)
	if read := policy.Annotated(engine.Policy{}, obj.Annotations).Limit.Pauses[0]; read.Problem != "" || read.Off {
		return fmt.Errorf("pause must be true, in, out or a count, and may end with until= and a moment such as 2026-01-05T10:00:00Z, got %q", text)
	}
	return nil
}

func annotate(obj *v1alpha1.WorkloadAutoscaler, text string) {
	if obj.Annotations == nil {
		obj.Annotations = map[string]string{}
	}
	obj.Annotations[v1alpha1.PausedAnnotation] = text
}

// apply gives an object another spec, if it is one.
func apply(obj *v1alpha1.WorkloadAutoscaler, text string) error {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if faults := strict.Unmarshal([]byte(text), &spec); len(faults) > 0 {
		return errors.New(faults.Error())
	}
	if spec.TargetRef != obj.Spec.TargetRef {
		return errors.New("targetRef must stay as it is: make another object for another workload")
	}
	if _, err := policy.Compile(spec, v1alpha1.AdminSettings{}); err != nil {
		return err
	}
	obj.Spec = spec
	return nil
}

// refusal tells what the API server says in words for a page.
func refusal(err error) error {
	status := apierrors.APIStatus(nil)
	switch {
	case err == nil:
		return nil
	case apierrors.IsNotFound(err):
		return feed.ErrUnknown
	case errors.As(err, &status):
		code := int(status.Status().Code)
		if code == http.StatusUnauthorized || code < 400 || code > 499 {
			code = http.StatusBadGateway
		}
		return server.Refusal{Code: code, Words: status.Status().Message}
	}
	return server.Refusal{Code: http.StatusBadGateway, Words: "the cluster does not answer: " + err.Error()}
}
