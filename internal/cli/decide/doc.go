// Package decide is the verb that makes decisions offline, from documents that
// hold everything a decision looks at.
package decide
