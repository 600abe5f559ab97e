package jsonapi

import (
	"context"
	"encoding/json"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// plural is the name of the objects in the Kubernetes API.
const plural = "workloadautoscalers"

// fieldManager is the name under which the API server notes who changed what.
const fieldManager = "tidemark-serve"

// kubernetes is the Cluster behind a configuration whose credentials are left
// out.
type kubernetes struct {
	config *rest.Config
	params runtime.ParameterCodec
}

var _ Cluster = (*kubernetes)(nil)

// Kubernetes returns the cluster that a configuration points at. Of the
// configuration only the address and the way to trust the server are used: no
// token, certificate, password, plug-in or impersonation of it reaches the
// Kubernetes API.
func Kubernetes(config *rest.Config) (Cluster, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("teaching the client its kinds: %w", err)
	}
	metav1.AddToGroupVersion(scheme, metav1.Unversioned)
	anonymous := rest.AnonymousClientConfig(config)
	anonymous.APIPath = "/apis"
	anonymous.GroupVersion = &v1alpha1.GroupVersion
	anonymous.ContentType = runtime.ContentTypeJSON
	anonymous.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	anonymous.UserAgent = fieldManager
	// The API server is fair to its callers by itself; a limit here would make
	// them wait for each other.
	anonymous.QPS = -1
	anonymous.WarningHandler = rest.NoWarnings{}
	return &kubernetes{config: anonymous, params: runtime.NewParameterCodec(scheme)}, nil
}

// As makes a client for one caller. Connections are shared between clients,
// because they are the same but for the token.
func (k *kubernetes) As(token, namespace string) (Objects, error) {
	config := rest.CopyConfig(k.config)
	config.BearerToken = token
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &namespaced{client: client, namespace: namespace, params: k.params}, nil
}

// Ready asks without credentials. That the answer may be a refusal does not
// matter: it is an answer.
func (k *kubernetes) Ready(ctx context.Context) error {
	client, err := rest.RESTClientFor(k.config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	code := 0
	result := client.Get().AbsPath("/readyz").MaxRetries(0).Do(ctx).StatusCode(&code)
	switch {
	case code == 0:
		return fmt.Errorf("the Kubernetes API does not answer: %w", result.Error())
	case code >= 500:
		return fmt.Errorf("the Kubernetes API is not ready: it answers %d", code)
	}
	return nil
}

// namespaced are the objects of one namespace and one caller.
type namespaced struct {
	client    rest.Interface
	namespace string
	params    runtime.ParameterCodec
}

// May asks with the caller's own token. Everyone who is known may ask this, so
// it finds out at once whether the token is good.
func (n *namespaced) May(ctx context.Context, verb, name string) error {
	review := authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: n.namespace, Verb: verb, Group: v1alpha1.GroupVersion.Group, Version: v1alpha1.GroupVersion.Version, Resource: plural, Name: name,
		},
	}}
	review.APIVersion, review.Kind = authorizationv1.SchemeGroupVersion.String(), "SelfSubjectAccessReview"
	body, err := json.Marshal(review)
	if err != nil {
		return fmt.Errorf("writing the question: %w", err)
	}
	result := n.client.Post().AbsPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews").MaxRetries(0).
		SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body).Do(ctx)
	if err := result.Error(); err != nil {
		return err
	}
	text, err := result.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &review); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if !review.Status.Allowed {
		return apierrors.NewForbidden(v1alpha1.GroupVersion.WithResource(plural).GroupResource(), name,
			fmt.Errorf("the caller cannot %s resource %q in the namespace %q", verb, plural, n.namespace))
	}
	return nil
}

func (n *namespaced) Create(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return n.send(ctx, n.client.Post(), object)
}

func (n *namespaced) Update(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return n.send(ctx, n.client.Put().Name(object.GetName()), object)
}

func (n *namespaced) Get(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	out := &unstructured.Unstructured{}
	return out, n.read(ctx, n.client.Get().Name(name), out.UnmarshalJSON)
}

func (n *namespaced) List(ctx context.Context, limit int64, from string) (*unstructured.UnstructuredList, error) {
	out := &unstructured.UnstructuredList{}
	options := &metav1.ListOptions{Limit: limit, Continue: from}
	return out, n.read(ctx, n.client.Get().VersionedParams(options, n.params), out.UnmarshalJSON)
}

func (n *namespaced) Delete(ctx context.Context, name string, only metav1.Preconditions) error {
	options := &metav1.DeleteOptions{Preconditions: &only}
	return n.of(n.client.Delete().Name(name)).Body(options).Do(ctx).Error()
}

// send writes an object. A field that the API server does not know is refused
// there, not dropped.
func (n *namespaced) send(ctx context.Context, request *rest.Request, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	body, err := object.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("writing the object: %w", err)
	}
	request = request.Param("fieldManager", fieldManager).Param("fieldValidation", metav1.FieldValidationStrict).
		SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body)
	out := &unstructured.Unstructured{}
	return out, n.read(ctx, request, out.UnmarshalJSON)
}

// read takes the answer as it came, because decoding it into a type would
// rewrite its quantities.
func (n *namespaced) read(ctx context.Context, request *rest.Request, decode func([]byte) error) error {
	result := n.of(request).Do(ctx)
	if err := result.Error(); err != nil {
		return err
	}
	body, err := result.Raw()
	if err != nil {
		return err
	}
	return decode(body)
}

func (n *namespaced) of(request *rest.Request) *rest.Request {
	return request.Namespace(n.namespace).Resource(plural).MaxRetries(0)
}
