package kubelet

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

const (
	// tokenTime is how long a token is good for, tokenAge after how long there is
	// a new one.
	tokenTime = time.Hour
	tokenAge  = 40 * time.Minute
)

// token returns a token of the service account that may read kubelets' metrics
// and nothing else.
func (s *Source) token(ctx context.Context, maxAge time.Duration) (string, error) {
	of := s.config.Account
	return snapshot.Get(ctx, s.answers, snapshot.Query[string]{
		Key: snapshot.Key{Source: "serviceaccounts/token", Query: of.String()}, MaxAge: maxAge,
		Fetch: func(ctx context.Context) (string, error) {
			seconds := int64(tokenTime.Seconds())
			account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: of.Namespace, Name: of.Name}}
			request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
			switch err := s.config.API.SubResource("token").Create(ctx, account, request); {
			case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
				return "", s.rights.refused(fmt.Sprintf("grant the controller's role create on serviceaccounts/token of %s", of.Name))
			case apierrors.IsNotFound(err):
				return "", s.rights.refused(fmt.Sprintf("create the service account %s that freshMetrics names", of))
			case err != nil:
				return "", fmt.Errorf("asking for a token of %s: %w", of, err)
			}
			return request.Status.Token, nil
		},
	})
}
