// Package hpatuner carries a tuning out on the HPA in the cluster. It reads the HPA
// from the cache, has package hpa work its numbers out and writes the difference,
// with the version that was read as a precondition. It also gives an HPA back that
// is no longer tuned.
package hpatuner
