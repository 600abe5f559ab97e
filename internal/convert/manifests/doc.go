// Package manifests reads inputs as people have them: several documents, Lists, merge
// keys, and objects of other kinds between the autoscalers, whatever state those are
// in.
package manifests
