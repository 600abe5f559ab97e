// Package pki makes the certificates, keys and kubeconfig files of one
// cluster. Everything is written below one folder, readable by its owner only,
// and lives as long as the cluster.
package pki
