// Package fair shares work out among tenants, so that one with much of it, or
// with work that takes long, holds nobody else up. A tenant is a namespace.
//
// A Pool runs tasks in goroutines of its own: so many at once, so many of one
// tenant, the tenants taking turns. A Queue gives the workers of a controller
// what is to be looked at: a worker goes to the tenants in turn, and never are
// all workers with one tenant.
package fair
