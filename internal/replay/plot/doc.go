// Package plot draws line and step plots as SVG. It is small, depends on
// nothing, and equal figures are equal bytes, so a picture can be kept beside
// the text it belongs to and a test can tell when it is out of date.
//
// A Figure is a grid of panels with one legend. A series has the same color in
// every panel it appears in. The colors are those of Okabe and Ito, which
// people who see colors differently can tell apart; dashes say it once more.
// The picture brings its own light background, so it reads in dark viewers too.
package plot
