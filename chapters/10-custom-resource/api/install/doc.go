// Package install takes the CRDs of the book's kinds to an API server. Chapters and tests call it; kubectl apply on
// api/crds does the same.
//
// Reading order: install.go.
package install
