// Manifests measures what convert makes of public manifests: how many objects it
// reads, which triggers of ScaledObjects it carries, and to which verdicts the
// comparison of decisions comes.
//
//	go run ./hack/manifests --clones DIR [--clone] [--read VERDICT]
//
// The repositories are listed in sources.txt and not copied here. DIR holds clones of
// them, as NAME, OWNER+NAME or OWNER/NAME, bare or not; --clone makes those that are
// missing. YAML that documents show, in fences, counts as well. --read prints, of the
// objects of a verdict, the manifest and the comparison, to be judged by a reader.
package main
