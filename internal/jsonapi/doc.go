// Package jsonapi offers WorkloadAutoscalers as zcloud's plain JSON resource,
// under /v1/namespaces/{namespace}/horizontalpodautoscalers.
//
// It has no rights of its own. Each request carries its caller's bearer token,
// which goes to the Kubernetes API as it came: the API server authenticates
// and authorizes the caller, applies its admission and writes its audit log.
// What the caller may not do is refused there, and told as it was refused. A
// body is read only for those who may write, and only a few at once.
//
// Every route stands in one table, routes.go. The handlers, the OpenAPI
// document and the tests are made from it, and an answer with a status that
// the table does not name is never sent.
//
// Errors are problem documents (RFC 9457). A resource's ETag is the
// resourceVersion of its object, so that a change made by anyone, through this
// interface or with kubectl, is a conflict and not lost.
package jsonapi
