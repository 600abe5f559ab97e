package jsonapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/fault"
)

// problemType is the media type of errors (RFC 9457).
const problemType = "application/problem+json"

// Problem is an error as the caller gets it.
type Problem struct {
	Type     string       `json:"type" doc:"Always about:blank: the status says what kind of problem it is."`
	Title    string       `json:"title" doc:"The status in words."`
	Status   int          `json:"status" doc:"The status code."`
	Detail   string       `json:"detail,omitempty" doc:"What is wrong, and what to do about it."`
	Instance string       `json:"instance,omitempty" doc:"The path of the request."`
	Reason   string       `json:"reason,omitempty" doc:"The reason that the Kubernetes API gave, in its one word."`
	Errors   []FieldError `json:"errors,omitempty" doc:"What is wrong with which field."`

	header http.Header
}

// FieldError is what is wrong with one field.
type FieldError struct {
	Field   string `json:"field" doc:"The path of the field."`
	Message string `json:"message" doc:"What is wrong with it, or why it cannot be said."`
}

// Error makes a problem an error that handlers return.
func (p *Problem) Error() string { return p.Detail }

// problem makes a problem of a status.
func problem(status int, detail string) *Problem { return &Problem{Status: status, Detail: detail} }

// with returns the problem with a header.
func (p *Problem) with(key, value string) *Problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(key, value)
	return p
}

// because returns the problem with the fields that are behind it.
func (p *Problem) because(faults fault.List) *Problem {
	p.Errors = fieldErrors(faults)
	return p
}

func fieldErrors(faults fault.List) []FieldError {
	var out []FieldError
	for _, f := range faults {
		out = append(out, FieldError{Field: string(f.Path), Message: f.Text()})
	}
	return out
}

// challenge asks for a token.
func challenge(p *Problem) *Problem { return p.with("WWW-Authenticate", `Bearer realm="kubernetes"`) }

// asProblem says any error as a problem.
func asProblem(err error) *Problem {
	var told *Problem
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &status):
		return ofStatus(status.Status())
	case errors.Is(err, context.DeadlineExceeded):
		return problem(http.StatusGatewayTimeout, "the Kubernetes API did not answer in time: try again")
	}
	// Neither the cause nor the address is the caller's business; the log has
	// both.
	return problem(http.StatusServiceUnavailable, "the Kubernetes API cannot be reached: try again later")
}

// ofStatus says an answer of the Kubernetes API as a problem.
func ofStatus(s metav1.Status) *Problem {
	out := problem(int(s.Code), s.Message)
	if s.Reason != metav1.StatusReasonUnknown {
		out.Reason = string(s.Reason)
	}
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			out.Errors = append(out.Errors, FieldError{Field: cause.Field, Message: cause.Message})
		}
		if s.Details.RetryAfterSeconds > 0 {
			out = out.with("Retry-After", strconv.Itoa(int(s.Details.RetryAfterSeconds)))
		}
	}
	switch {
	case out.Status == http.StatusUnauthorized:
		out = challenge(out)
	case out.Status == http.StatusTooManyRequests && out.header.Get("Retry-After") == "":
		out = out.with("Retry-After", "1")
	case out.Status > 500 && out.Status != http.StatusServiceUnavailable && out.Status != http.StatusGatewayTimeout:
		out.Status = http.StatusInternalServerError
	}
	return out
}

// inWordsOf says the fields of the object that the API server complains about
// as the fields of the resource they were made of.
func (p *Problem) inWordsOf(from map[string]string) *Problem {
	for i, e := range p.Errors {
		for path := e.Field; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
			if field, ok := from[path]; ok {
				p.Errors[i].Field = field
				break
			}
		}
	}
	return p
}
