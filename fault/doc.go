// Package fault collects what is wrong with an input, all of it at once: each
// fault names the field's path, says what is wrong and what would be right, and on
// which line where that is known. How a fault reads is decided here alone.
package fault
