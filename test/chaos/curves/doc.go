// Curves draws what the controllers of a campaign used, over time:
// go run ./test/chaos/curves FOLDER > curves.svg
package main
