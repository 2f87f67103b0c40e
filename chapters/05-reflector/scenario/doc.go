// Package scenario plays one mishap to one reflector on an API server, and notes what the reflector did next: which
// request it sent, from which version, after how long, and what its store was told. Any reflector can be played with:
// this chapter's and client-go's are, side by side.
//
// Reading order: mishap.go, answers.go, texts.go; then run.go, session.go, wire.go, store.go, log.go.
package scenario
