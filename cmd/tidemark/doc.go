// Command tidemark is the controller and the command line in one binary.
package main
