// Package capacity keeps a size from growing into what cannot be had: more pods, or
// larger ones, than a quota has room for, containers that a LimitRange forbids, pods
// that no node can hold.
//
// It only ever takes growth back. What there is stays, however little is allowed:
// a quota that was lowered, or a node that has gone, takes nothing from pods that run.
// Where no size can be written, because what there is is forbidden already, nothing is
// written.
package capacity
