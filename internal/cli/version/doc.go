// Package version is the verb that says which build is running.
package version
