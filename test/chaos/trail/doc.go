// Package trail is what a campaign leaves behind: a folder in which everything
// that was injected, decided, requested and stored stands as lines of JSON. It
// can be checked again at any time, by others and by later checkers.
package trail
