// Package serve is the verb that offers WorkloadAutoscalers as a plain JSON
// resource over HTTP.
package serve
