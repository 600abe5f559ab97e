// Package controller is the verb that runs the controller in a cluster.
package controller
