// Package controlplane builds the pinned control plane of Kubernetes and runs it.
//
// Ensure builds kube-apiserver, etcd, kube-controller-manager and kubectl from the nested module scripts/controlplane
// into the user's cache. Acquire finds or starts a control plane for one command. The package links the
// standard library alone (YAML comes with package withyaml), so that a chapter compiles in seconds; the servers
// belong to a program of their own, scripts/supervisor, which is built when it is first needed.
//
// trust.go, believe.go, control.go and parents.go say what is believed of a control plane that is already there.
package controlplane
