// Package scale is the vocabulary every other package speaks: amounts, sizes,
// what was seen (Observation), what was decided (Decision), and the Steps and
// Reasons that say why.
//
// It holds values and exact arithmetic on them, nothing else: no clock, no
// I/O, no Kubernetes type, only the standard library. A reader who knows the
// types of this package can read any decision of Tidemark.
//
// # Glossary
//
// One word for one idea, in code, documents and messages. docs/concepts.md has
// the same list, generated from this one.
//
// What comes in:
//
//	workload         what is scaled: anything with a scale subresource, and its pods
//	policy           an object's spec, checked, with its defaults filled in
//	observation      all that a decision may look at, gathered at one moment
//	sample           what a source says of a metric; one that cannot be used is missing
//	target           the workload as the cluster shows it; of a metric, a band whose two marks are equal
//	watermark        the low or the high mark of a band
//	band             where a value should be: between two marks, each moved outward by a tolerance
//	serve            a pod serves that runs, is ready and has started: only then does work reach it
//	aside            the pods that do not serve, and so have no say in the direction of cpu
//	recommendation   what one container should request, by its usage or by a VPA
//
// What is decided:
//
//	amount           a quantity in thousandths of its unit; sums are exact, and saturate
//	size             how many pods there are and what each of them requests and may use
//	total            count times request: what all pods have, or need, of one resource
//	desired          the count or size that metrics and recommendations ask for, before any limit
//	proposed, want   what mode Auto would apply after the limits, and what is applied now:
//	                 the status calls the count of the latter desiredReplicas, as Kubernetes does
//	side             the direction in which the desired size lies: up, down, or none
//	direction guard  a value above its band never removes a pod, and one below never adds one
//	interval         the totals for which one count of pods is right
//	boost            cpu that a pod has while it starts, beyond what it settles at
//	headroom         the room that is left for usage to grow until a decision takes effect
//	schedule         what bounds the count, or forbids a direction, at some times of the calendar
//	stage            a part of the pipeline that leaves steps behind: schedule, learn, horizontal, combine or limit
//	plan             what is meant to be done: the size that limits judge, or a round's resizes
//	limit            a rule that cuts a desired size, or holds it back
//	verdict          what one limit says: the count that it allows, why, and for how long
//	step             one stage's part in a decision: what came in, what went out, and why
//	reason           one stable word for why; reason.go lists all of them
//	decision         the size to apply now, with the steps that led to it
//
// What comes of it:
//
//	round            one turn of the loop for one object; resizes reach the pods a round at a time
//	in force         what pods really have, not what they were asked to have
//	shortfall        what of a decision is neither in force nor under way
//	conflict         another autoscaler, or object, on the same workload; the reason Conflict is a write that lost a race
//	blocker          why nothing is decided, or a decision cannot be carried out
//	scaling event    a change of the size: of the count, whoever made it, or of requests by a decision
//
// The past:
//
//	memory           what the next decision has to know of earlier ones; kept in the status
//	history          what takes weeks to learn; kept in a WorkloadHistory
//	learned bounds   the minimum and the maximum that history knows for this hour
//
// Before it is trusted:
//
//	script           decisions written down: a policy, a load, and what must happen
//	demand           the work that arrives each second
//	plant            the simulated workload of a replay: pods that start, fill up and fail
//	oracle           a policy that knows the demand to come: about the least that serves all of it
//	rival            another autoscaler that a replay runs beside ours, such as kpa or crane
//	fault            one thing that is wrong with an input, with its path and what would be right
package scale
