// Package record is the verb that records what decisions about an object look
// at, so that they can be made again elsewhere.
package record
