// Package elastic carries measured headroom with pods that can be resized in
// place.
//
// A new pod takes half a minute to help, a resized one helps at once. So the
// pods are kept at a usual size and in the number that demand needs, and what
// comes suddenly is met by making them larger, until more of them are ready.
//
// Past.Settled decides how much the pods should have in all: it acts when most of
// the headroom is used, then makes more, and gives some up only when keeping
// it has cost more than a change is worth. Rules.Sized decides how many pods,
// how large, have that much.
package elastic
