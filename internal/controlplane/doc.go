// Package controlplane builds the pinned control plane of Kubernetes and runs it.
//
// Ensure builds kube-apiserver, etcd, kube-controller-manager and kubectl from the nested module scripts/controlplane
// into the user's cache. Acquire finds or starts a control plane for one command. The package links nothing but the
// standard library, so that a chapter compiles in seconds; the servers belong to a program of their own,
// scripts/supervisor, which is built when it is first needed.
package controlplane
