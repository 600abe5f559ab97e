// Package object reads the WorkloadAutoscaler that a verb is asked about.
package object
