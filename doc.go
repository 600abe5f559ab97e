// Package tidemark is a tour of the code; there is nothing to import here.
//
// Tidemark decides how many pods a workload has and how big each of them is.
// One pure function makes every decision:
//
//	engine.Decide(Policy, Observation, Memory) (Decision, Memory)
//
// # The way of a decision
//
//	policy               a spec (api/v1alpha1) becomes what the engine runs on, with every default
//	internal/permit      may the workload be changed, or who is against it
//	internal/observe     an observation comes in: pods, metrics, recommendations
//	internal/learner     what weeks have shown is added (internal/history is where it is kept)
//	engine               it is decided: pipeline.go lists the stages, and the packages below have their rules
//	explain              it is put into words
//	internal/apply       it goes out: replicas, resizes, another autoscaler's targets
//	internal/shortfall   what of it is not in force yet
//	internal/controller  the loop that does all this, for each object, again and again; its
//	                     webhook gives new pods their size
//
// Everyone speaks the words of package scale; its documentation is the glossary.
// What takes weeks to know is a value too; a decision sees only its summary for
// the moment. internal/targetref says what a target is.
//
// # Before it is trusted
//
// The folder spec holds decisions written down: policies, loads, and what must
// happen. Package scaletest runs them, and so does `tidemark test spec`.
// internal/replay replays policies over recordings: its package sim is a
// workload in virtual time, which calls the same Decide, plans its resizes by
// the same function (internal/apply/plan) and learns the same way as the
// controller, so what a replay scores is what would run. internal/advise replays
// the workloads of a whole cluster, beside what scales them now. internal/record is
// one decision as a document.
//
// # Manifests
//
// Package manifest builds objects, internal/convert brings those of other
// autoscalers over, internal/lint reads whole repositories (its package render knows
// charts and kustomizations), internal/jsonapi
// serves objects as a JSON resource. Package fault is what all of them say of
// bad input.
//
// # Pages
//
// internal/ui has what `tidemark ui` shows: one form of data for a cluster, a replay and
// the demo, the server that gives it to who may see it, and the pages with the libraries
// they are built with. A page says what explain says, and invents nothing.
//
// internal/onlook looks at a live object as the controller does, for whoever only looks,
// and internal/podsum sums up its pods.
//
// # Around it
//
// internal/cli has a package for each verb of the command, internal/strict reads
// documents and says what is wrong where, internal/object reads an object as people
// have it and internal/listing those of a cluster, internal/seeded and internal/shard are
// chance that repeats and a fleet in parts, internal/fair shares work out among
// namespaces. cluster is a control plane in one
// binary, config and charts install the controller, test tries everything on
// what is real, internal/checks keeps the rules, and hack has the tools.
//
// # What may be imported
//
// api/v1alpha1, scale, engine, policy, explain, fault, manifest and scaletest
// are public, and a change that breaks them is told by CI. The rest is internal.
// scale, engine, explain and the plant of a replay know no clock, no logger and no
// Kubernetes, and neither does anything they link; internal/checks/archtest keeps
// it that way.
package tidemark
