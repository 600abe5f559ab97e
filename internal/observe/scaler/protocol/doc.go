// Package protocol is the public protocol of KEDA's external scalers, generated
// from externalscaler.proto by `make generate`.
package protocol
