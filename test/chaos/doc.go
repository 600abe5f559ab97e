// Package chaos lets two controllers work on a real control plane while both are
// disturbed at random: processes are killed and paused, requests refused, delayed
// and lost, metrics lie, clocks jump, and etcd fills up or forgets. What happens is
// drawn from a seed. Everything is noted in a trail, and a checker that knows
// nothing of the controller judges it.
package chaos
