// Package generate is the verb that writes a demand that is made up, for those
// who have no recording yet.
package generate
