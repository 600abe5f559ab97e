// Package live starts what is real for tests: the control plane of bin/cluster,
// and on it the controller of bin/tidemark, under exactly the role that is
// installed. Tests in the folders beside it share it.
package live
