// Package hpatuner keeps a live HorizontalPodAutoscaler tuned. What that means is
// the pure package hpa; this one reads the HPA from the cache, has it tuned and
// writes the difference, with the version that was read as a precondition. It also
// gives an HPA back that is no longer tuned.
package hpatuner
