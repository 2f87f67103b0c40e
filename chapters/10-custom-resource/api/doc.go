// Package api says what a controller of the book's kinds may do. The kinds themselves are in the package below.
//
// Reading order: v1alpha1/process.go, v1alpha1/processset.go, v1alpha1/group.go; then crds/, which is what
// controller-gen makes of their markers; then install, which takes that to the API server.
//
// The markers below become the ClusterRole in rbac/role.yaml.
//
// +kubebuilder:rbac:groups=scratch.example.com,resources=processes;processsets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=scratch.example.com,resources=processes/status;processsets/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=scratch.example.com,resources=processes/finalizers;processsets/finalizers,verbs=update
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
package api
