// Package permit answers one question: may an object change its workload now,
// and if not, why not? The controller, the appliers and the webhook of new pods
// ask here, so that none of them acts while another would not.
//
// Three things can deny it: the object itself, by its mode; the administrator,
// who has excluded the namespace, paused everything or runs the controller dry;
// and others who scale the same workload.
package permit
