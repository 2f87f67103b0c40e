// Package claims proves what the book says of Kubernetes, on the pinned version. The ids above a test, covers: S0-18,
// are those of docs/claims.yaml. A file transplant_TOPIC_test.go has upstream's programs run on the chapter's
// mechanism.
package claims
