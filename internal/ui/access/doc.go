// Package access finds out who brings a token of the cluster, and what they may see:
// it asks the API server, by TokenReview and SubjectAccessReview, with the rights of
// the program's own service account.
//
// Answers hold for seconds, so that what is taken back is soon lost. Tokens are in
// memory alone, and only as hashes. Whatever cannot be found out is refused.
package access
