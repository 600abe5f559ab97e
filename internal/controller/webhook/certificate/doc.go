// Package certificate gives the webhook a serving certificate of its own and
// renews it, without another program in the cluster.
//
// An authority, made here and known to nobody else, signs the certificate. It
// is kept in one Secret, so that all replicas of the controller serve the same.
// The leader renews what is about to expire and writes the authority into the
// webhook's configuration, which is where the API server learns whom to trust.
// The other replicas only read.
//
// # Rotation without a gap
//
// A new authority is published a day before it signs anything. During that day
// the API server comes to trust it beside the old one. Then it signs, and the
// old authority stays trusted until it expires, so that a replica that still
// serves the old certificate is believed too.
package certificate
