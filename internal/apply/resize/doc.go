// Package resize brings running pods to the size that was decided: in place
// through the resize subresource of the pod, or by eviction where that is
// allowed and nothing else helps.
//
// What a round does to which pod is said by package plan, which a replay asks
// as well. Here pods are read from the cache and the plan is carried out.
// Evictions go through the eviction API, so disruption budgets hold: a budget
// that says no is no error, it is waited for.
package resize
