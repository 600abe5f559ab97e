// Package engine makes decisions.
//
//	Decide(Policy, Observation, Memory) (Decision, Memory)
//
// Decide is a pure function: time is Observation.At, the past is Memory, and
// there is no clock, logger, context, randomness or Kubernetes type in here.
// The controller, a dry run, a script and a backtest call the same function
// and get the same answer.
//
// A decision runs through a fixed pipeline (pipeline.go). Every stage makes a value
// of the values before it and changes none of them: learned, desired, plan,
// watched, the decision, and the memory for the next one. A stage that has
// something to say leaves a scale.Step behind.
package engine
