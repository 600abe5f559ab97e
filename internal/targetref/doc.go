// Package targetref says what an object of any autoscaler scales, and finds the
// objects that scale something. Whoever looks, acts or admits names targets in
// the same way, and finds the same objects by them.
package targetref
