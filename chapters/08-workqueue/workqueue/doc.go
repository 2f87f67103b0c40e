// Package workqueue ⟨to be written⟩ what it is for, and upstream's counterpart.
//
// Reading order: sum.go.
package workqueue
