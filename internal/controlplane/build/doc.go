// Package build makes the programs of the control plane from the nested module scripts/controlplane, in the user's
// cache, and says meanwhile how far it is.
//
// Reading order: build.go, build_once.go, build_go.go, then cache.go for where they lie.
package build
