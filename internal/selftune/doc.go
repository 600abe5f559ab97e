// Package selftune chooses how a workload is sized by what each of a few settings
// would have cost on its own past. It knows which settings there are, when they are
// compared, what a comparison needs to know, and when one of them is better enough.
// Package replay does the comparing.
package selftune
