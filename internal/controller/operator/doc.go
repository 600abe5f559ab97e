// Package operator puts the controller together: the manager, the caches, the
// ways to observe and to act, the webhook, the metrics and the health checks.
// It decides nothing.
package operator
