// Package program holds the main functions of everything the cluster binary
// can be: the components of the control plane, the components that stand in
// for machines and metrics, and kubectl.
//
// A program reads its flags from os.Args, exactly as its own binary would, and
// returns the exit code.
package program
