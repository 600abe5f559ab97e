// Package golden runs a command line against files that say what it prints. It
// is for tests of verbs.
package golden
