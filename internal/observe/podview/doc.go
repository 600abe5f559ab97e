// Package podview turns pods as Kubernetes writes them into pods as a decision
// sees them.
//
// It is pure and knows no client, so that whoever has pods, from a cache or made
// up in a test, sees them the same way.
package podview
