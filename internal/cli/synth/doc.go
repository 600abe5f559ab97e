// Package synth is the verb that writes manifests: the compact form in,
// objects that kubectl apply reads out.
package synth
