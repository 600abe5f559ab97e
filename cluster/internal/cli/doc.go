// Package cli is the command line of the cluster binary.
//
// Exit codes: 0 when all went well, 1 when the cluster or a component failed,
// 2 when the command line is wrong.
package cli
