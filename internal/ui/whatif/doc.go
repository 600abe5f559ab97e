// Package whatif replays an edited object beside the present one and the best HPA.
//
// What comes of it is told as it comes: what lint finds at once, then a week, then
// four, then the HPA that is best in hindsight, which takes longest and is looked for
// once. Who goes away ends the replay.
package whatif
