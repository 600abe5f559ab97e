// Package object reads the WorkloadAutoscaler that someone asks about, as people have it:
// a whole one, its spec, or an object that is converted to one.
package object
