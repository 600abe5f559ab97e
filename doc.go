// Package tidemark is a tour of the code; there is nothing to import here.
//
// Tidemark decides how many pods a workload has and how big each of them is.
// One pure function makes every decision:
//
//	engine.Decide(Policy, Observation, Memory) (Decision, Memory)
//
// # Where to start
//
// Read package scale first: it is the vocabulary. Then engine/pipeline.go: the
// stages of a decision, in order. Each stage is a package below engine that
// knows nothing of the others. Package policy turns an object's spec
// (api/v1alpha1) into what the engine runs on, and holds every default.
// Package explain turns a decision into words.
//
// # Scripts
//
// The folder spec holds decisions written down: policies, loads, and what must
// happen. Package scaletest runs them, and so does the command
//
//	tidemark test spec
//
// # The past
//
// What takes weeks to know is package history: a value with its own pure
// functions. A decision sees only its summary for the moment.
//
// # Replay
//
// Package sim is a workload in virtual time. It calls the same Decide, so what
// `tidemark simulate` and `tidemark backtest` (internal/replay) score is what
// would run. Package trace reads recordings.
//
// # Manifests
//
// Package manifest builds objects, package convert brings those of other
// autoscalers over.
//
// # In force
//
// A decision is not yet a fact. Package shortfall tells what of it is not in
// force, and package explain says so.
//
// # Edges
//
// Package record reads and writes the documents of `tidemark decide`, package
// apply is how a decision leaves pure code, and the command line is in
// internal/cli. Pure code ends where those packages begin, and
// internal/archtest keeps it that way.
package tidemark
