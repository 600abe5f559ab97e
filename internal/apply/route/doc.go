// Package route chooses how a decision for an object is carried out: through
// the scale subresource of its target or by tuning its HPA, with the pods
// resized where the object sizes them, or not at all.
package route
