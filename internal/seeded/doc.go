// Package seeded is chance that can be had again: numbers that look random and
// depend on a seed alone, on every machine and in every later version, because
// recordings and figures in the documentation were made with them. The
// arithmetic is that of SplitMix64.
package seeded
