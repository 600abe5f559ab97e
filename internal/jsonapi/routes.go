package jsonapi

import (
	"net/http"
	"slices"
)

// The paths.
const (
	collection = "/v1/namespaces/{namespace}/horizontalpodautoscalers"
	one        = collection + "/{name}"
)

// route is one method of one path: what it does, what it may be told, and
// every status it may answer with.
type route struct {
	method, path string
	id, summary  string
	serve        func(call) (answer, error)
	// reads names the schema of the body, empty for none; verb is what its
	// caller must be allowed to do before it is read.
	reads, verb string
	// parameters names the entries of parameters that it looks at.
	parameters []string
	// gives is what it answers if nothing went wrong, by status.
	gives map[int]given
	// problems are the statuses of its errors.
	problems []int
}

// given is an answer without an error.
type given struct {
	about string
	// schema names the schema of the body, empty for none.
	schema  string
	headers []string
}

// anyCall are the errors that every call to the Kubernetes API may end in.
var anyCall = []int{400, 401, 403, 404, 429, 500, 503, 504}

func also(statuses ...int) []int { return append(append([]int{}, anyCall...), statuses...) }

// routes is the interface, whole.
var routes = []route{
	{
		method: http.MethodGet, path: collection, id: "listHorizontalPodAutoscalers", serve: list,
		summary:    "List the autoscalers of a namespace, a page at a time.",
		parameters: []string{"namespace", "limit", "continue"},
		gives:      map[int]given{200: {about: "A page of the list.", schema: "Page"}},
		problems:   also(410),
	},
	{
		method: http.MethodPost, path: collection, id: "createHorizontalPodAutoscaler", serve: create, reads: "Resource", verb: "create",
		summary:    "Create an autoscaler.",
		parameters: []string{"namespace"},
		gives:      map[int]given{201: {about: "The autoscaler was created.", schema: "Resource", headers: []string{"ETag", "Location"}}},
		problems:   also(409, 413, 415, 422),
	},
	{
		method: http.MethodGet, path: one, id: "getHorizontalPodAutoscaler", serve: get,
		summary:    "Read an autoscaler and what it last decided.",
		parameters: []string{"namespace", "name", "If-None-Match"},
		gives: map[int]given{
			200: {about: "The autoscaler.", schema: "Resource", headers: []string{"ETag"}},
			304: {about: "The autoscaler is still the one that If-None-Match names.", headers: []string{"ETag"}},
		},
		problems: anyCall,
	},
	{
		method: http.MethodPut, path: one, id: "updateHorizontalPodAutoscaler", serve: update, reads: "Resource", verb: "update",
		summary:    "Replace what an autoscaler asks for. If-Match is required.",
		parameters: []string{"namespace", "name", "If-Match"},
		gives:      map[int]given{200: {about: "The autoscaler as it is now.", schema: "Resource", headers: []string{"ETag"}}},
		problems:   also(409, 412, 413, 415, 422, 428),
	},
	{
		method: http.MethodDelete, path: one, id: "deleteHorizontalPodAutoscaler", serve: remove,
		summary:    "Delete an autoscaler. The workload stays as it is.",
		parameters: []string{"namespace", "name", "If-Match"},
		gives:      map[int]given{204: {about: "The autoscaler was deleted."}},
		problems:   also(409, 412),
	},
}

// describes tells whether a route may answer with a status.
func (r *route) describes(status int) bool {
	if _, ok := r.gives[status]; ok {
		return true
	}
	return slices.Contains(r.problems, status)
}
