// Package informer keeps a store equal to a collection on the API server, and tells any number of handlers what
// changes: one watch and one store for all of them.
//
// Reading order: options.go.
package informer
