// Package published has code as it is published in many places, and fails, each beside a form that does not. All have
// the same task: to change an object that was read a moment ago.
//
// Reading order: apply.go, both.go, update.go, retry.go.
package published
