// Package convert is the verb that turns the objects of other autoscalers into
// WorkloadAutoscalers, and back, and reports on every field.
package convert
