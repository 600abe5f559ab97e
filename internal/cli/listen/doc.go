// Package listen puts TLS before what the verbs serve.
package listen
