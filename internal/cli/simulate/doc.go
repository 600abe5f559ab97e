// Package simulate is the verb that replays one policy over a recorded demand.
package simulate
