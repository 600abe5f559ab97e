// Package flood measures how much memory a server takes while hostile bodies come
// in all at once. The server is a process of its own: the test binary, started
// again. It works on Linux.
package flood
