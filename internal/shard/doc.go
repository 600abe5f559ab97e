// Package shard names a part of many things, as i/n: the objects of one
// controller, or the recordings of one pod of a Job.
package shard
