// Package cli is the command line: one folder for each verb, one line here.
package cli
