// Demo starts a real control plane without containers, installs Tidemark as a
// user would, and lets a day of demand pass over a few workloads in minutes. It
// shows what is decided and why while it happens, and leaves nothing behind.
//
// Make demo builds what it needs and runs it from the root of the repository.
package main
