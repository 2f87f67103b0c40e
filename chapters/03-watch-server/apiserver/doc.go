// Package apiserver is a small Kubernetes API server: the other end of a watch.
//
// It knows no kind of its own. [Server.Install] gives it a [Resource], and from then on it serves
// create, get, list, update, merge patch, delete and watch of it, well enough for kubectl, for
// client-go's clientset and for its informers. What it keeps is in package storage, in memory.
//
// Reading order, which is a request's: routes (server.go), what is asked for (options.go), reads and
// writes (read.go, write.go, patch.go), the stream (watch.go), refusals (status.go), the encoding of
// answers (negotiate.go, protobuf.go), and what kubectl wants to know before it asks for anything
// (discovery.go); then package storage.
//
// There is no authentication, no authorisation, no admission, and no schema but the Go types of kinds
// that have some: it is for a loopback address and for trying things.
package apiserver
