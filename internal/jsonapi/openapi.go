package jsonapi

import (
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// parameters are described once and named by the routes.
var parameters = map[string]object{
	"namespace": inPath("namespace", "The namespace of the autoscaler and of its workload."),
	"name":      inPath("name", "The name of the autoscaler."),
	"limit": {"name": "limit", "in": "query", "description": "The most resources on one page.",
		"schema": object{"type": "integer", "minimum": 1, "maximum": maxPage, "default": usualPage}},
	"continue": {"name": "continue", "in": "query", "description": "Where to go on: the value of continue on the page before. It is good for " +
		"some minutes; then the answer is 410, and the list has to be read from its beginning.",
		"schema": object{"type": "string"}},
	"If-Match": {"name": "If-Match", "in": "header", "description": "The ETag of the version that is to be changed. A star stands for any version.",
		"schema": object{"type": "string"}},
	"If-None-Match": {"name": "If-None-Match", "in": "header", "description": "The ETag of the version that the caller has.",
		"schema": object{"type": "string"}},
}

func inPath(name, about string) object {
	return object{"name": name, "in": "path", "required": true, "description": about, "schema": object{"type": "string"}}
}

// headers are those of answers.
var headers = map[string]string{
	"ETag":             "The version of the resource.",
	"Location":         "The path of the new resource.",
	"Retry-After":      "How many seconds to wait.",
	"WWW-Authenticate": "Asks for a bearer token.",
}

// problemsOf says when a status is answered, and with which headers.
var problemsOf = map[int]given{
	400: {about: "The path, the query or the body cannot be understood."},
	401: {about: "There is no token, or the Kubernetes API does not accept it.", headers: []string{"WWW-Authenticate"}},
	403: {about: "The caller may not do this."},
	404: {about: "There is no such autoscaler or namespace."},
	409: {about: "The name is taken, or the object asks for more than the resource can say."},
	410: {about: "The value of continue has expired: read the list from its beginning."},
	412: {about: "The autoscaler is not the version that If-Match names."},
	413: {about: "The body is too large."},
	415: {about: "The body is not declared as JSON."},
	422: {about: "The resource cannot work as it is; errors names the fields."},
	428: {about: "If-Match is missing."},
	429: {about: "Too many requests.", headers: []string{"Retry-After"}},
	500: {about: "Something is broken here or in the Kubernetes API."},
	503: {about: "The Kubernetes API cannot be reached."},
	504: {about: "The Kubernetes API did not answer in time."},
}

// OpenAPI returns the description of the interface (OpenAPI 3.1), made from
// the routes and from the types they read and write.
func OpenAPI() map[string]any {
	paths := object{}
	for i := range routes {
		r := &routes[i]
		if paths[r.path] == nil {
			paths[r.path] = object{}
		}
		paths[r.path].(object)[strings.ToLower(r.method)] = operation(r)
	}
	components := object{}
	for name, t := range schemas {
		components[name] = schemaOf(t)
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Tidemark", "version": "v1", "license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
			"description": "WorkloadAutoscalers of a Kubernetes cluster as a plain JSON resource. Every request is made with its caller's rights in the cluster.",
		},
		"paths":    paths,
		"security": []any{object{"kubernetes": []string{}}},
		"components": object{
			"schemas": components,
			"securitySchemes": object{"kubernetes": object{"type": "http", "scheme": "bearer",
				"description": "A token that the Kubernetes API accepts, such as that of a ServiceAccount."}},
		},
	}
}

func operation(r *route) object {
	out := object{"operationId": r.id, "summary": r.summary, "responses": responses(r)}
	var told []any
	for _, name := range r.parameters {
		parameter := maps.Clone(parameters[name])
		if name == "If-Match" && r.method == http.MethodPut {
			parameter["required"] = true
		}
		told = append(told, parameter)
	}
	out["parameters"] = told
	if r.reads != "" {
		out["requestBody"] = object{"required": true, "content": content("application/json", r.reads)}
	}
	return out
}

func responses(r *route) object {
	out := object{}
	for status, g := range r.gives {
		out[strconv.Itoa(status)] = response(g, "application/json")
	}
	for _, status := range r.problems {
		g := problemsOf[status]
		g.schema = "Problem"
		out[strconv.Itoa(status)] = response(g, problemType)
	}
	return out
}

func response(g given, media string) object {
	out := object{"description": g.about}
	if g.schema != "" {
		out["content"] = content(media, g.schema)
	}
	if len(g.headers) > 0 {
		described := object{}
		for _, name := range g.headers {
			described[name] = object{"description": headers[name], "schema": object{"type": "string"}}
		}
		out["headers"] = described
	}
	return out
}

func content(media, schema string) object {
	return object{media: object{"schema": object{"$ref": "#/components/schemas/" + schema}}}
}
