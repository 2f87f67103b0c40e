// Package local starts the local control plane, or finds the one that runs: Acquire for one command, Up, Down and
// Status for the lasting one. Book starts the API server of chapter 03 in its place.
//
// It links the standard library alone (YAML comes with package withyaml), so that a chapter compiles in seconds. The
// servers belong to a program of their own, scripts/supervisor, which is built when it is first needed.
//
// Reading order: acquire.go, start.go, instance.go, then lasting.go and status.go.
package local
