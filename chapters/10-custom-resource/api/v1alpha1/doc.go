// Package v1alpha1 has the book's own kinds: a Process runs one process of the operating system, and a ProcessSet keeps
// several of them alive.
//
// Reading order: group.go, process.go, processset.go, conditions.go. zz_generated.deepcopy.go is generated, as are the
// CRDs and the apply configurations beside this package: `go -C scripts/tools run ./generate`.
//
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package="../applyconfiguration"
// +groupName=scratch.example.com
package v1alpha1
