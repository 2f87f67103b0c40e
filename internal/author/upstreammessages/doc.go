// Package upstreammessages compares what the pinned client-go, controller-runtime and apimachinery say with the rows of
// docs/symptoms.md.
//
// It reads upstream's source in the module cache and collects the texts that a controller's author meets: what is
// logged as an error or a warning, what is returned as an error, what a panic says (collect.go, text.go). A text has
// verbs in it, so logs are made of it, with one value after the other in each place (example.go), and the page is
// searched with them. A text that no row is found by stands in messages.txt, below the reason why (list.go). The check
// `messages` says what stands in neither of both, and what stands there without need (compare.go).
//
// What is not seen: a text that is put together from variables, as that of a validation; a file that was generated; and
// what is logged below the level of a warning.
//
// Reading order: collect.go, text.go; example.go; list.go, compare.go.
package upstreammessages
