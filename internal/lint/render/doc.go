// Package render makes manifests of what is not one yet: Helm charts, with their own
// values, and kustomizations. It asks no cluster and no network, and starts no other
// program: what would have to be fetched or run is left out.
package render

// File is what a file of a chart or of a kustomization became.
type File struct {
	// Name is the file, Origin what stands in it, and Text what it became.
	Name         string
	Origin, Text []byte
	// Template is the name of a template that is packed in an archive, where Name
	// can only be the chart.
	Template string
}
