// Command release builds everything that a release consists of, from a commit
// and nothing else, so that whoever builds it again gets the same bytes:
// archives of the program for each platform, an image for containers, the Helm
// chart, the manifest for krew, a bill of materials, the provenance and the
// checksums. RELEASE.md says when to use it, `make release` runs it.
//
//	release build    exports the commit twice, builds both and compares them
//	release image    builds the image alone, of the folder as it is
//	release push     sends the image, the chart and their signatures to a registry
//
// It is a module of its own, so that the product does not depend on what builds
// it.
package main
