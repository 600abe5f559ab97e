// Package decided makes what the page of a decision shows from the call that led to
// it: the steps in the words of explain, what would change the answer, the pods,
// and the decision as a script and as a document.
package decided
