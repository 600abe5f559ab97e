// Package learn is the verb that shows what would be learned from a recording.
package learn
