// Package learn turns what history knows of this hour into bounds and targets
// for one decision.
//
// History itself, four weeks of it, is kept and summed up elsewhere. Here the
// summary meets what the user and the administrator said: their bounds always
// win, and what is not known has no opinion. This is the design of Tortoise;
// docs/readings.md (T1 to T7) says how its unclear places are read.
package learn
