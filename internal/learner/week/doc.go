// Package week reads the coming week off what slots have learned: for each of them
// the largest count and the bounds that would hold then.
package week
